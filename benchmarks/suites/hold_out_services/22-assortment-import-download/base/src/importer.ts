import { Storage } from "@google-cloud/storage";
import { parse } from "csv-parse";
import { save, type Row } from "./sink.js";

const storage = new Storage();

export async function importObject(bucket: string, name: string): Promise<number> {
  const rows = storage
    .bucket(bucket)
    .file(name)
    .createReadStream()
    .pipe(parse({ columns: true, bom: true }));
  let count = 0;
  let chunk: Row[] = [];
  for await (const row of rows) {
    chunk.push(row as Row);
    if (chunk.length === 500) {
      await save(chunk);
      count += chunk.length;
      chunk = [];
    }
  }
  await save(chunk);
  return count + chunk.length;
}
