import test from "node:test";
import assert from "node:assert";
import { round } from "../src/round.js";

test("up", () => assert.equal(round(13), 15));
