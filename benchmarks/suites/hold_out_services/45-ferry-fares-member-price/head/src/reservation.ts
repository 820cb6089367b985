import { request } from "undici";

export async function quote(route: string, day: string, member?: string) {
  const q = new URLSearchParams({ route, day, ...(member ? { member } : {}) });
  const res = await request(`https://res.seaways.example/v2/quote?${q}`, { headersTimeout: 4000 });
  if (res.statusCode !== 200) throw new Error(`reservation host said ${res.statusCode}`);
  return res.body.json();
}
