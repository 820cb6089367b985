import { createHmac } from "node:crypto";

export interface Posting { account: string; cents: number; at: string }

export function digest(p: Posting, key: string): string {
  return createHmac("sha256", key).update(`${p.account}|${p.cents}|${p.at}`).digest("hex");
}
