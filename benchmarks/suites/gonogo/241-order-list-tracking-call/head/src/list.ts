import { query } from "./db";
import { state } from "./tracking";

const PAGE = 20;

export async function list(customer: string, page: number) {
  const orders = await query("SELECT id, placed_at, cents FROM orders WHERE customer = $1 ORDER BY placed_at DESC LIMIT $2 OFFSET $3", [customer, PAGE, page * PAGE]);
  const withState = await Promise.all(orders.map(async (o) => ({ ...o, state: await state(o.id) })));
  return { page, orders: withState };
}
