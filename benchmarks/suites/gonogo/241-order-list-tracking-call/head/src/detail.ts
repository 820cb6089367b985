import { query } from "./db";
import { state } from "./tracking";

export async function detail(id: string) {
  const [order] = await query("SELECT * FROM orders WHERE id = $1", [id]);
  return { ...order, state: await state(id) };
}
