export function verify(partner: string, body: string, headers: Record<string, string>): boolean {
  const signature = headers["x-signature"];
  return Boolean(partner && body && signature);
}
