import { index } from "./index-store";

export async function query(text: string) {
  const terms = text.toLowerCase().split(/\s+/).filter(Boolean);
  return index.rank(terms).slice(0, 40);
}
