export async function query(text: string, region: string) {
  const res = await fetch(`${process.env.ENGINE_URL}/${region}?q=${encodeURIComponent(text)}`);
  return res.json();
}
