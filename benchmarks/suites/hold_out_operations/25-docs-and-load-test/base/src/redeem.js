import { round } from "./round.js";

export async function handler(event) {
  return { cents: round(event.cents) };
}
