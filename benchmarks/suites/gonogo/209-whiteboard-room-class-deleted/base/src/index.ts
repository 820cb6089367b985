export { LegacyRoom } from "./legacy";
export { Room } from "./room";

export interface Env {
  ROOM: DurableObjectNamespace;
  LEGACY_ROOM: DurableObjectNamespace;
}

export default {
  async fetch(req: Request, env: Env): Promise<Response> {
    const id = new URL(req.url).pathname.slice(1);
    const ns = id.startsWith("l-") ? env.LEGACY_ROOM : env.ROOM;
    return ns.get(ns.idFromName(id)).fetch(req);
  },
};
