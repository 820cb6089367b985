export async function loadProducts(): Promise<{ id: number; title: string; description: string; price: number }[]> {
  const res = await fetch(`${process.env.CATALOG_URL ?? "http://catalog"}/products.ndjson`);
  return (await res.text()).trim().split("\n").map((l) => JSON.parse(l));
}
