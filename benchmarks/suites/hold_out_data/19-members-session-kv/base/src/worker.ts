import { load } from "./session";

export interface Env {
  RATES: KVNamespace;
}

export default {
  async fetch(req: Request, env: Env): Promise<Response> {
    const session = await load(req, env);
    if (!session) return Response.redirect("https://login.atlasgym.example", 302);
    return Response.json({ rates: await env.RATES.get(session.tier) });
  },
};
