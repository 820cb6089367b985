import { expect, test } from "vitest";

test("key has the session", () => {
  expect(`quote:${"s1"}:10:m`).toContain("s1");
});

test("zip region", () => {
  expect("10115".slice(0, 2)).toBe("10");
});
