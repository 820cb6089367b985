import { verify } from "./verify";
import { forward } from "./forward";

export async function handler(event: { pathParameters: { partner: string }; body: string; headers: Record<string, string> }) {
  if (!verify(event.pathParameters.partner, event.body, event.headers)) return { statusCode: 401 };
  await forward(event.pathParameters.partner, event.body);
  return { statusCode: 202 };
}
