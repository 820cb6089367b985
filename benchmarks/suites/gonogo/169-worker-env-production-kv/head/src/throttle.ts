export async function tooMany(ip: string, store: KVNamespace): Promise<boolean> {
  const seen = Number((await store.get(ip)) ?? 0);
  if (seen > 600) return true;
  await store.put(ip, String(seen + 1), { expirationTtl: 60 });
  return false;
}
