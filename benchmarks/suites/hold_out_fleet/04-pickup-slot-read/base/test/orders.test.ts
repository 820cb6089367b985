import { expect, test } from "vitest";

test("ids are numbers", () => {
  expect(Number("12")).toBe(12);
});
