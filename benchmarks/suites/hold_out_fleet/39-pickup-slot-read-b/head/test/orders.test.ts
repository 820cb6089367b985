import { expect, test } from "vitest";

test("slot is optional", () => {
  expect(null ?? "any").toBe("any");
});

test("ids are numbers", () => {
  expect(Number("12")).toBe(12);
});
