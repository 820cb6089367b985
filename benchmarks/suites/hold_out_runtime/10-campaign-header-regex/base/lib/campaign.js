"use strict";

const NAME = /^[\w ]+$/;

function validCampaign(value) {
  return NAME.test(value);
}

module.exports = { validCampaign };
