import { createHash } from "node:crypto";

export interface Posting { account: string; cents: number; at: string }

export function digest(p: Posting): string {
  return createHash("sha256").update(`${p.account}|${p.cents}|${p.at}`).digest("hex");
}
