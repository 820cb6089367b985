import { price } from "./price";
import { fromForm } from "./legacy-map";

export async function handler(event: { body: string }) {
  return { statusCode: 200, body: `PRICE=${price(fromForm(event.body))}` };
}
