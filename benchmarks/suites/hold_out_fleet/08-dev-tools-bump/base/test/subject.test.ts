import { expect, it } from "vitest";
import { subject } from "../src/subject.js";

it("falls back", () => {
  expect(subject("x")).toBe("News from Lantern");
});
