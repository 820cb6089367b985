import { load } from "./store.js";

export async function handler(event: { pathParameters: { pair: string } }) {
  const table = await load();
  const rate = table[event.pathParameters.pair];
  return rate ? { statusCode: 200, body: JSON.stringify({ rate }) } : { statusCode: 404 };
}
