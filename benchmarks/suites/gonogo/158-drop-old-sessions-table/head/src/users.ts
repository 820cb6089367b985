import { Pool } from "pg";

const pool = new Pool({ connectionString: process.env.DATABASE_URL });

export async function seen(id: number) {
  await pool.query("UPDATE users SET seen_at = now() WHERE id = $1", [id]);
}
