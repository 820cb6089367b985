import { readdir } from "node:fs/promises";
import { importFile } from "./parse.js";

for (;;) {
  for (const name of await readdir(process.env.DROP_DIR ?? "/drop")) {
    console.log(`imported ${name} rows=${await importFile(`${process.env.DROP_DIR}/${name}`)}`);
  }
  await new Promise((r) => setTimeout(r, 300_000));
}
