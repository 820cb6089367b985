const test = require("node:test");
const assert = require("node:assert");
const { valid } = require("../src/code");

test("plain", () => assert.ok(valid("SUMMER2026")));
test("dashes", () => assert.ok(valid("AB12-CD34-EF56")));
