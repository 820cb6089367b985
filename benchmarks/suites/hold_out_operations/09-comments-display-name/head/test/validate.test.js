import test from "node:test";
import assert from "node:assert";
import { validName } from "../src/validate.js";

test("no double separators", () => assert.ok(!validName("a--b")));
test("plain name", () => assert.ok(validName("Ana Lima")));
