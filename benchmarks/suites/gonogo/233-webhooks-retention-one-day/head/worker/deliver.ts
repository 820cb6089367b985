export async function deliver(hook: { url: string; body: unknown }) {
  const res = await fetch(hook.url, { method: "POST", body: JSON.stringify(hook.body), signal: AbortSignal.timeout(5000) });
  if (!res.ok) throw new Error(`webhook ${res.status}`);
}
