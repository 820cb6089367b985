import { dataSource } from "./data-source";

export async function latest(customerId: string) {
  const rows = await dataSource.query("SELECT id, carrier_id, state FROM consignments WHERE customer_id = $1 ORDER BY id DESC LIMIT 50", [customerId]);
  return rows.map((r: { id: string; carrier_id: string; state: string }) => ({ ...r, carrier: r.carrier_id }));
}
