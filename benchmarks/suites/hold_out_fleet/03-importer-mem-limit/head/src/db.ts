import pg from "pg";

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 4 });

export async function upsert(rows: { sku: string; price: number }[]) {
  for (const r of rows) await pool.query("INSERT INTO prices (sku, price) VALUES ($1, $2) ON CONFLICT (sku) DO UPDATE SET price = excluded.price", [r.sku, r.price]);
}
