export async function venueSvg(venue: string): Promise<string> {
  const res = await fetch(`http://venues.stage/${venue}.svg`);
  return res.text();
}
