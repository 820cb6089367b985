import test from "node:test";
import assert from "node:assert";
import { validName } from "../src/validate.js";

test("plain name", () => assert.ok(validName("Ana Lima")));
