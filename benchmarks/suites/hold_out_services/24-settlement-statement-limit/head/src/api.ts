import { Hono } from "hono";
import { sql } from "./db";

export const app = new Hono();

app.get("/merchants/:id/postings", async (c) => {
  const rows = await sql`SELECT id, amount_minor, booked_at FROM postings WHERE merchant_id = ${c.req.param("id")} ORDER BY id DESC LIMIT 50`;
  return c.json(rows);
});
