import type { Env } from "./index";

export async function inventory(req: Request, player: string, env: Env): Promise<Response> {
  return env.INVENTORY.get(env.INVENTORY.idFromName(player)).fetch(req);
}
