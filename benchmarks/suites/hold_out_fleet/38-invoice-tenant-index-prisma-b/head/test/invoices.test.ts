import { expect, test } from "vitest";

test("page size", () => {
  expect(50).toBeLessThanOrEqual(100);
});
