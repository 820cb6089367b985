import type { Env } from "./worker";

export async function load(req: Request, env: Env): Promise<{ tier: string } | null> {
  const id = req.headers.get("cookie")?.match(/sid=([^;]+)/)?.[1] ?? "anonymous";
  return env.SESSIONS.get<{ tier: string }>(id, "json");
}
