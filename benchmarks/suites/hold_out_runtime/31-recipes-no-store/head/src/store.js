export async function load(slug) {
  const res = await fetch(`${process.env.CMS_URL}/recipes/${slug}`);
  return res.json();
}

export async function find(q) {
  const res = await fetch(`${process.env.CMS_URL}/search?q=${encodeURIComponent(q ?? "")}`);
  return res.json();
}
