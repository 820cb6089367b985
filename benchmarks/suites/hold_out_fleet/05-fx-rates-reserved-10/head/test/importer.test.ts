import { expect, test } from "vitest";
import { handler } from "../src/importer.js";

test("importer", async () => {
  expect(await handler()).toEqual({ imported: 0 });
});
