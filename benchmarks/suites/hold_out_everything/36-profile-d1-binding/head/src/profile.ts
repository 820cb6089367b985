import type { Env } from "./index";

export async function profile(env: Env, handle: string): Promise<Response> {
  const row = await env.DB.prepare("SELECT name, bio FROM profiles WHERE handle = ?").bind(handle).first();
  return row ? Response.json(row) : new Response("not found", { status: 404 });
}
