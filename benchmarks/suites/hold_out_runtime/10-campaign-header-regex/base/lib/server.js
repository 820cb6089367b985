"use strict";

const fastify = require("fastify")();
const { validCampaign } = require("./campaign");
const { enqueue } = require("./queue");

fastify.addHook("onRequest", async (req, reply) => {
  const name = req.headers["x-campaign"];
  if (name !== undefined && !validCampaign(name)) {
    req.log.warn(`bad campaign=${name}`);
    return reply.code(400).send({ error: "campaign" });
  }
});

fastify.post("/events", async (req) => enqueue(req.body));
fastify.listen({ port: 8000, host: "0.0.0.0" });
