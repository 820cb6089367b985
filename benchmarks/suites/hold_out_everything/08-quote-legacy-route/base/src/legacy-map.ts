export function fromForm(body: string): { age: number; km: number } {
  const form = new URLSearchParams(body);
  return { age: Number(form.get("AGE")), km: Number(form.get("KM")) };
}
