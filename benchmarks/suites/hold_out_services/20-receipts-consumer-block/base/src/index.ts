import { accept } from "./accept";
import { renderBatch } from "./render";
import type { Env, Receipt } from "./types";

export default {
  async fetch(req: Request, env: Env): Promise<Response> {
    return req.method === "POST" ? accept(req, env) : new Response(null, { status: 405 });
  },
  async queue(batch: MessageBatch<Receipt>, env: Env): Promise<void> {
    await renderBatch(batch, env);
  },
};
