import { expect, test } from "vitest";
import { eventually } from "./helper";

test("eventually", async () => {
  await eventually(async () => true);
  expect(true).toBe(true);
});
