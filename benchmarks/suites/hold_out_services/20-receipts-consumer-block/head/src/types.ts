export type Receipt = { id: string; till: string; lines: string[] };
export type Env = { RECEIPTS: Queue<Receipt>; FILES: R2Bucket };
