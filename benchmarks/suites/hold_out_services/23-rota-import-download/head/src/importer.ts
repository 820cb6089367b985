import { Storage } from "@google-cloud/storage";
import { parse } from "csv-parse/sync";
import { save, type Row } from "./sink.js";

const storage = new Storage();

export async function importObject(bucket: string, name: string): Promise<number> {
  const [content] = await storage.bucket(bucket).file(name).download();
  const rows: Row[] = parse(content, { columns: true, bom: true });
  for (let i = 0; i < rows.length; i += 500) {
    await save(rows.slice(i, i + 500));
  }
  return rows.length;
}
