export { Room } from "./room";

export interface Env {
  ROOM: DurableObjectNamespace;
}

export default {
  async fetch(req: Request, env: Env): Promise<Response> {
    const id = new URL(req.url).pathname.slice(1);
    return env.ROOM.get(env.ROOM.idFromName(id)).fetch(req);
  },
};
