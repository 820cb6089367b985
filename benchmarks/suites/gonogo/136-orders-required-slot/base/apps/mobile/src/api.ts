import { BASE } from "./config";

export async function placeOrder(customer: string, lines: { sku: string; quantity: number }[]) {
  const res = await fetch(`${BASE}/v2/orders`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ customer, lines }),
  });
  if (!res.ok) throw new Error(`order failed: ${res.status}`);
  return res.json();
}
