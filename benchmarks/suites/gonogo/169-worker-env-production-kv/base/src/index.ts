export interface Env {
  LINKS: KVNamespace;
}

export default {
  async fetch(req: Request, env: Env): Promise<Response> {
    const target = await env.LINKS.get(new URL(req.url).pathname.slice(1));
    return target ? Response.redirect(target, 302) : new Response("unknown link", { status: 404 });
  },
};
