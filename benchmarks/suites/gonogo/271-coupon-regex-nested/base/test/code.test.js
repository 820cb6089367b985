const test = require("node:test");
const assert = require("node:assert");
const { valid } = require("../src/code");

test("plain", () => assert.ok(valid("SUMMER2026")));
