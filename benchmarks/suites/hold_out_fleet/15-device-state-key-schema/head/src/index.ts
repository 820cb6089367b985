import { read, write } from "./state.js";

export async function handler(event: { method: string; device: string; body?: Record<string, unknown> }) {
  if (event.method === "PUT") {
    await write(event.device, event.body ?? {});
    return { statusCode: 204 };
  }
  return { statusCode: 200, body: JSON.stringify((await read(event.device)) ?? {}) };
}
