import type { Env } from "./index";

export async function inventory(req: Request, player: string, env: Env): Promise<Response> {
  if (req.method === "POST") {
    await env.DB.prepare("INSERT INTO inventory (player, item, at) VALUES (?, ?, ?)").bind(player, await req.text(), Date.now()).run();
  }
  const { results } = await env.DB.prepare("SELECT item FROM inventory WHERE player = ? ORDER BY at").bind(player).all<{ item: string }>();
  return Response.json(results.map((r) => r.item));
}
