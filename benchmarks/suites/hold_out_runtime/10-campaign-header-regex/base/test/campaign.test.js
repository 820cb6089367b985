"use strict";

const test = require("node:test");
const assert = require("node:assert");
const { validCampaign } = require("../lib/campaign");

test("plain name", () => assert.ok(validCampaign("spring sale")));
