import type { Env } from "./index";

export async function upload(key: string, req: Request, env: Env): Promise<Response> {
  await env.META.put(key, JSON.stringify({ size: req.headers.get("content-length") }));
  return new Response(null, { status: 201 });
}
