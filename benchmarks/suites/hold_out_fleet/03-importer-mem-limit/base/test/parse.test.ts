import { expect, test } from "vitest";

test("rows", () => {
  expect([{ sku: "a", price: 1 }]).toHaveLength(1);
});
