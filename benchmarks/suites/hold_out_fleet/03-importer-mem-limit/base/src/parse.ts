import { readFile } from "node:fs/promises";
import { XMLParser } from "fast-xml-parser";
import { upsert } from "./db.js";

export async function importFile(path: string): Promise<number> {
  const doc = new XMLParser().parse(await readFile(path, "utf8"));
  const rows = doc.catalogue.item as { sku: string; price: number }[];
  await upsert(rows);
  return rows.length;
}
