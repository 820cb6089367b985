export type Row = { ean: string; supplier: string; price: string; stock: string };

export async function save(rows: Row[]): Promise<void> {
  if (rows.length === 0) return;
}
