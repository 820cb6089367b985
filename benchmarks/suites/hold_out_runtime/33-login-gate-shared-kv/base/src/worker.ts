import { page } from "./page";

export interface Env {
  SESSIONS: KVNamespace;
  ISSUER: string;
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const sid = request.headers.get("cookie")?.match(/sid=(\w+)/)?.[1] ?? "";
    const session = await env.SESSIONS.get(sid, "json");
    return session ? fetch(request) : page(env.ISSUER);
  },
};
