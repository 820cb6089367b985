import { Pool } from "pg";
import { cached } from "./cache";

const pool = new Pool({ max: 10 });

export function branding(tenant: string) {
  return cached(tenant, async () => {
    const row = (await pool.query("SELECT name, logo_url, logo_dark_url FROM tenants WHERE slug = $1", [tenant])).rows[0];
    return { name: row.name, logo: row.logo_url };
  });
}
