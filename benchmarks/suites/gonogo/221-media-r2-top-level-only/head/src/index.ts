import { upload } from "./upload";

export interface Env {
  META: KVNamespace;
  ORIGINALS: R2Bucket;
}

export default {
  async fetch(req: Request, env: Env): Promise<Response> {
    const key = new URL(req.url).pathname.slice(1);
    if (req.method === "PUT") return upload(key, req, env);
    const meta = await env.META.get(key);
    return meta ? new Response(meta) : new Response("not found", { status: 404 });
  },
};
