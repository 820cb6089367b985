import { tooMany } from "./throttle";

export interface Env {
  LINKS: KVNamespace;
  THROTTLE: KVNamespace;
}

export default {
  async fetch(req: Request, env: Env): Promise<Response> {
    const ip = req.headers.get("cf-connecting-ip") ?? "";
    if (await tooMany(ip, env.THROTTLE)) return new Response("slow down", { status: 429 });
    const target = await env.LINKS.get(new URL(req.url).pathname.slice(1));
    return target ? Response.redirect(target, 302) : new Response("unknown link", { status: 404 });
  },
};
