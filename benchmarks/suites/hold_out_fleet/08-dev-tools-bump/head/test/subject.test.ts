import { expect, it } from "vitest";
import { subject } from "../src/subject.js";

it("falls back", async () => {
  expect(subject("x")).toBe("News from Lantern");
});
