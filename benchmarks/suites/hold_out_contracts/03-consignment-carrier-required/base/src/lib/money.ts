export function format(minor: number, currency: string): string {
  const major = minor / 100;
  return major.toFixed(2) + " " + currency;
}
