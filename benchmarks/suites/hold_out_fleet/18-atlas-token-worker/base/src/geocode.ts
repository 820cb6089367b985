import type { Env } from "./index";

export async function geocode(q: string, env: Env) {
  const res = await fetch(`https://nominatim.example/search?format=json&countrycodes=${env.COUNTRY}&q=${encodeURIComponent(q)}`);
  if (!res.ok) throw new Error(`geocoder ${res.status}`);
  return res.json();
}
