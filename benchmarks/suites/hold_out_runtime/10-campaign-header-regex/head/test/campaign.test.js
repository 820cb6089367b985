"use strict";

const test = require("node:test");
const assert = require("node:assert");
const { validCampaign } = require("../lib/campaign");

test("two spaces", () => assert.ok(!validCampaign("a  b")));
test("plain name", () => assert.ok(validCampaign("spring sale")));
