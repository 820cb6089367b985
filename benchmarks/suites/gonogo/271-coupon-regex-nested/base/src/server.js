const Fastify = require("fastify");
const { valid } = require("./code");
const { redeem } = require("./redeem");

const app = Fastify();
app.post("/redeem", async (req, reply) => {
  const code = String(req.body.code).trim().toUpperCase();
  if (!valid(code)) return reply.code(422).send({ error: "invalid code" });
  return redeem(code);
});
app.listen({ port: 8080, host: "0.0.0.0" });
