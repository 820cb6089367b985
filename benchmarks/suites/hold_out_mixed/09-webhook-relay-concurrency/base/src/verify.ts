export function verify(partner: string, body: string, headers: Record<string, string>): boolean {
  return Boolean(partner && body && headers["x-signature"]);
}
