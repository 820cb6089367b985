const test = require("node:test");
const assert = require("node:assert");

test("ten attempts", () => assert.equal(10 <= 10, true));
