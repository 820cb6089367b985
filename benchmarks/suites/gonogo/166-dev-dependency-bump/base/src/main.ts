import Fastify from "fastify";

const app = Fastify();
app.get("/inbox/:user", async () => []);
app.listen({ port: 8080, host: "0.0.0.0" });
