"use strict";

const pending = [];

async function enqueue(event) {
  pending.push(event);
  return { ok: true };
}

module.exports = { enqueue };
