const base = process.env.SEARCH_URL;
if (!base) throw new Error("SEARCH_URL is not set");

export async function search(q) {
  const res = await fetch(`${base}/books?q=${encodeURIComponent(q)}`);
  return res.json();
}
