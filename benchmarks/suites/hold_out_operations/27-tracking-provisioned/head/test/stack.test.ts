import { expect, test } from "vitest";
import { readFileSync } from "node:fs";

test("table is retained", () => {
  const tpl = JSON.parse(readFileSync("synth/EventsStack.template.json", "utf8"));
  expect(tpl.Resources.Events7C1D.DeletionPolicy).toBe("Retain");
});
