import { pool } from "./db";

export async function create(customer: number, total: number, note: string | null, code: string | null) {
  const res = await pool.query(
    "INSERT INTO redemptions (customer_id, total, note, gift_code) VALUES ($1, $2, $3, $4) RETURNING id",
    [customer, total, note, code],
  );
  return res.rows[0].id as number;
}
