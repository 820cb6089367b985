export async function content(slug: string) {
  const r = await fetch(`${process.env.CMS_URL}/entries/${slug}`);
  return r.json() as Promise<{ title: string; body: string }>;
}
