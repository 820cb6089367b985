import { readFileSync } from "node:fs";
import postgres from "postgres";

const sql = postgres(process.env.DATABASE_URL);
for (const row of JSON.parse(readFileSync(process.argv[2], "utf8"))) {
  await sql`INSERT INTO visit_notes (visit_id, note, created_at) VALUES (${row.besok}, ${row.fritekst}, ${row.dato})`;
}
await sql.end();
