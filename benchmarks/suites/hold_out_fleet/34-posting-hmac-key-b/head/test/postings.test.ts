import { expect, test } from "vitest";
import { digest } from "../src/postings.js";

test("digest is hex", () => {
  expect(digest({ account: "a", cents: 1, at: "2026-01-01" }, "k")).toMatch(/^[0-9a-f]{64}$/);
});
