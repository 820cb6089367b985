const PAGE_SIZE = "A4";
const MAX_PAGES = 40;

export function layout(pages: string[]) {
  if (pages.length > MAX_PAGES) throw new Error("too many pages");
  return pages.map((body, i) => ({ number: i + 1, size: PAGE_SIZE, body }));
}
