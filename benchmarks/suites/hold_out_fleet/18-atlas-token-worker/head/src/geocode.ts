import type { Env } from "./index";

export async function geocode(q: string, env: Env) {
  if (!env.ATLAS_TOKEN) throw new Error("ATLAS_TOKEN missing");
  const res = await fetch(`https://api.atlas.example/v2/geocode?country=${env.COUNTRY}&q=${encodeURIComponent(q)}`, {
    headers: { authorization: `Bearer ${env.ATLAS_TOKEN}` },
  });
  if (!res.ok) throw new Error(`atlas ${res.status}`);
  return res.json();
}
