"use strict";

// words, one space between them
const NAME = /^(\w+\s?)*$/;

function validCampaign(value) {
  return NAME.test(value);
}

module.exports = { validCampaign };
