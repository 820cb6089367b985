export class PlayerInventory {
  constructor(private state: DurableObjectState) {}

  async fetch(req: Request): Promise<Response> {
    const items = (await this.state.storage.get<string[]>("items")) ?? [];
    if (req.method === "POST") {
      items.push(await req.text());
      await this.state.storage.put("items", items);
    }
    return Response.json(items);
  }
}
