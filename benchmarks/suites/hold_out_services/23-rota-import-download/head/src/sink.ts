export type Row = { store: string; employee: string; from: string; to: string };

export async function save(rows: Row[]): Promise<void> {
  if (rows.length === 0) return;
}
