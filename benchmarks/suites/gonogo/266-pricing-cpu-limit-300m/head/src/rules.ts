type Line = { sku: string; qty: number; cents: number };

const rules: ((lines: Line[]) => number)[] = [];

export function price(lines: Line[]) {
  const base = lines.reduce((s, l) => s + l.qty * l.cents, 0);
  return { cents: rules.reduce((s, r) => s - r(lines), base) };
}
