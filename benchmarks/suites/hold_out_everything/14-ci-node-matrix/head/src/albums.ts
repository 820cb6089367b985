const TIMEOUT_MS = 2000;

export async function albums(user: string): Promise<unknown> {
  const res = await fetch(`http://media/albums?user=${user}`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  return res.json();
}
