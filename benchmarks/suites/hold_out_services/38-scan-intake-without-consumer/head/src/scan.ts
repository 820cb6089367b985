export type Scan = { barcode: string; shelf: string; at: string };
