const fastify = require("fastify")({ logger: true });
const { lookup } = require("./terms");

fastify.get("/terms/:term", async (req) => lookup(req.params.term));
fastify.get("/readyz", async () => "ok");

fastify.listen({ port: Number(process.env.PORT), host: "0.0.0.0" });
