import { expect, test } from "vitest";
import { eventually } from "./helper";

test("eventually returns at once", async () => {
  await eventually(async () => true);
  expect(true).toBe(true);
});
