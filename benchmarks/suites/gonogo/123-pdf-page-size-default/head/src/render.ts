import { config } from "./config";

const { PAGE_SIZE, MAX_PAGES } = config;

export function layout(pages: string[]) {
  if (pages.length > MAX_PAGES) throw new Error("too many pages");
  return pages.map((body, i) => ({ number: i + 1, size: PAGE_SIZE, body }));
}
