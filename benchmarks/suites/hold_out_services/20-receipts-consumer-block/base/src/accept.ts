import type { Env, Receipt } from "./types";

export async function accept(req: Request, env: Env): Promise<Response> {
  const receipt = (await req.json()) as Receipt;
  await env.RECEIPTS.send(receipt);
  return Response.json({ id: receipt.id }, { status: 202 });
}
