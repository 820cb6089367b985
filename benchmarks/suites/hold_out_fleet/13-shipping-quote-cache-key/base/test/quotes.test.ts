import { expect, test } from "vitest";

test("zip region", () => {
  expect("10115".slice(0, 2)).toBe("10");
});
