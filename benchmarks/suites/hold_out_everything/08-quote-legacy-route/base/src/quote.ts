import { price } from "./price";

export async function handler(event: { body: string }) {
  return { statusCode: 200, body: JSON.stringify({ cents: price(JSON.parse(event.body)) }) };
}
