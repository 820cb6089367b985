import { load } from "./store.js";

export async function get(event) {
  const seats = await load(event.pathParameters.showId);
  if (!seats) return { statusCode: 404, body: "" };
  return { statusCode: 200, headers: { "content-type": "application/json" }, body: JSON.stringify(seats) };
}
