const api = process.env.MEMBERS_URL!;

export async function memberOf(customerId: string): Promise<string> {
  const res = await fetch(`${api}/by-customer/${customerId}`);
  return ((await res.json()) as { id: string }).id;
}

export async function credit(member: string, points: number): Promise<void> {
  await fetch(`${api}/members/${member}/points`, { method: "POST", body: JSON.stringify({ points }) });
}
