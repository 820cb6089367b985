import assert from "node:assert";
import test from "node:test";
import { format } from "../src/lib/money.js";

test("two digits", () => {
  assert.equal(format(1250, "EUR"), "12.50 EUR");
  assert.equal(format(0, "EUR"), "0.00 EUR");
});
