export async function find(sku: string): Promise<{ title: string; text: string } | null> {
  const res = await fetch(`${process.env.CATALOG_URL}/items/${sku}`);
  return res.ok ? res.json() : null;
}
