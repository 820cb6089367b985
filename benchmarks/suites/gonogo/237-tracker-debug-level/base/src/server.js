const Fastify = require("fastify");
const log = require("./log");
const { save } = require("./store");

const app = Fastify({ bodyLimit: 65536 });
app.post("/items", async (req, reply) => {
  log.debug({ body: req.body, headers: req.headers }, "received");
  await save(req.body);
  return reply.code(202).send();
});
app.listen({ port: 8080, host: "0.0.0.0" });
