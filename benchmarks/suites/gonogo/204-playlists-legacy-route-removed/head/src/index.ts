export interface Env { DB: D1Database }

export default {
  async fetch(req: Request, env: Env): Promise<Response> {
    const id = new URL(req.url).pathname.split("/").pop();
    const row = await env.DB.prepare("SELECT * FROM playlists WHERE id = ?").bind(id).first();
    return row ? Response.json(row) : new Response("not found", { status: 404 });
  },
};
