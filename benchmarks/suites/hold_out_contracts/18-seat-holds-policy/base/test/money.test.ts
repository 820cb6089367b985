import { expect, test } from "vitest";
import { format } from "../src/lib/money";

test("two digits", () => {
  expect(format(1250, "EUR")).toBe("12.50 EUR");
});
