import { sql } from "../db";

const day = process.argv[2];

await sql`
  INSERT INTO closes (day, merchant_id, currency, total_minor, postings)
  SELECT ${day}::date, merchant_id, currency, sum(amount_minor), count(*)
  FROM postings
  WHERE booked_at >= ${day}::date AND booked_at < ${day}::date + 1
  GROUP BY merchant_id, currency`;
await sql.end();
