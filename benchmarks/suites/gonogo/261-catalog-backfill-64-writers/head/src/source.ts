import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

export async function* products() {
  for await (const line of createInterface({ input: createReadStream("/data/products.ndjson") })) {
    yield JSON.parse(line);
  }
}
