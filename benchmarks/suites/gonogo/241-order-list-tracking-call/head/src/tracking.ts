export async function state(order: string): Promise<string> {
  const res = await fetch(`${process.env.TRACKING_URL}/state/${order}`, { signal: AbortSignal.timeout(1500) });
  return res.ok ? (await res.json()).state : "unknown";
}
