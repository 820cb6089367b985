export function price(q: { age: number; km: number }): number {
  return 12000 + (q.age < 25 ? 6000 : 0) + Math.round(q.km / 100) * 15;
}
