const assert = require("node:assert");
const test = require("node:test");

test("routes load", () => assert.ok(require("../src/routes/coupons")));
