import { pool } from "./db";

export async function create(customer: number, total: number, note: string | null) {
  const res = await pool.query("INSERT INTO redemptions (customer_id, total, note) VALUES ($1, $2, $3) RETURNING id", [customer, total, note]);
  return res.rows[0].id as number;
}
