import type { Env } from "./worker";

const CACHE_S = 120;

export async function departures(stop: string, env: Env): Promise<Response> {
  const res = await fetch(`${env.OPERATOR}/stops/${stop}/departures`, {
    cf: { cacheEverything: true, cacheTtl: CACHE_S },
  });
  if (!res.ok) return new Response("no data", { status: 502 });
  return new Response(res.body, { headers: { "content-type": "application/json" } });
}
