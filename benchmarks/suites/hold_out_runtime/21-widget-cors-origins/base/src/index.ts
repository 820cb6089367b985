import { cors } from "./cors";

export interface Env {
  ALLOWED_ORIGINS: string;
  RATINGS: KVNamespace;
}

export default {
  async fetch(req: Request, env: Env): Promise<Response> {
    const sku = new URL(req.url).pathname.slice(1);
    const body = (await env.RATINGS.get(sku)) ?? "{}";
    return new Response(body, { headers: cors(req, env.ALLOWED_ORIGINS) });
  },
};
