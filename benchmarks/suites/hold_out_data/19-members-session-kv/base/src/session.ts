import type { Env } from "./worker";

export async function load(req: Request, _env: Env): Promise<{ tier: string } | null> {
  const raw = req.headers.get("cookie")?.match(/s=([^;]+)/)?.[1];
  return raw ? JSON.parse(atob(raw)) : null;
}
