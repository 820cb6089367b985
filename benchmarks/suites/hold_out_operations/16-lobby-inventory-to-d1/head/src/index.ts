import { inventory } from "./inventory";

export { Room } from "./room";

export interface Env {
  DB: D1Database;
  ROOM: DurableObjectNamespace;
}

export default {
  async fetch(req: Request, env: Env): Promise<Response> {
    const url = new URL(req.url);
    if (url.pathname.startsWith("/inventory/")) return inventory(req, url.pathname.slice(11), env);
    const id = env.ROOM.idFromName(url.pathname);
    return env.ROOM.get(id).fetch(req);
  },
};
