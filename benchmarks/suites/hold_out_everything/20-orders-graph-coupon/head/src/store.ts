import { Pool } from "pg";

const pool = new Pool({ max: 10 });

export async function findOrder(id: string) {
  return (await pool.query("SELECT id, placed_at, total_cents FROM orders WHERE id = $1", [id])).rows[0];
}

export async function findOrders(customerId: string, first: number) {
  return (await pool.query("SELECT id, placed_at, total_cents FROM orders WHERE customer_id = $1 LIMIT $2", [customerId, first])).rows;
}

export async function discountsOf(orderId: string): Promise<{ code: string; cents: number }[]> {
  return (await pool.query("SELECT code, cents FROM discounts WHERE order_id = $1", [orderId])).rows;
}
