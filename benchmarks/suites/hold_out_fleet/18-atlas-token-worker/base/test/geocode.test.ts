import { expect, test } from "vitest";

test("query is escaped", () => {
  expect(encodeURIComponent("Å vik")).toBe("%C3%85%20vik");
});
