export class LegacyRoom {
  constructor(private state: DurableObjectState) {}

  async fetch(): Promise<Response> {
    return Response.json([...(await this.state.storage.list()).values()]);
  }
}
