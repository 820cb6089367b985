import type { Env, Receipt } from "./types";

export async function renderBatch(batch: MessageBatch<Receipt>, env: Env): Promise<void> {
  for (const m of batch.messages) {
    await env.FILES.put(`${m.body.id}.txt`, m.body.lines.join("\n"));
    m.ack();
  }
}
