const test = require("node:test");
const assert = require("node:assert");

require.cache[require.resolve("redis")] = { exports: { createClient: () => ({ get: (k, cb) => cb(null, "{}") }) } };
const { load } = require("../src/sessions");

test("loads", () => load("x", (err, s) => assert.deepEqual(s, {})));
