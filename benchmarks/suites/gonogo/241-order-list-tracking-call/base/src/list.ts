import { query } from "./db";

const PAGE = 20;

export async function list(customer: string, page: number) {
  const orders = await query("SELECT id, placed_at, cents FROM orders WHERE customer = $1 ORDER BY placed_at DESC LIMIT $2 OFFSET $3", [customer, PAGE, page * PAGE]);
  return { page, orders };
}
