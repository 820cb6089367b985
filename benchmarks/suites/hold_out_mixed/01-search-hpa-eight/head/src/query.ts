import { index } from "./index-store";

const PAGE = 40;

export async function query(text: string) {
  const terms = text.toLowerCase().split(/\s+/).filter(Boolean);
  return index.rank(terms).slice(0, PAGE);
}
