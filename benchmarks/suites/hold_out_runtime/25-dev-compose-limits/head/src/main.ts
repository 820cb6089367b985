import Fastify from "fastify";

const app = Fastify({ logger: { level: process.env.LOG_LEVEL ?? "info" } });
app.get("/books/:id", async (req) => ({ id: (req.params as { id: string }).id }));
app.listen({ port: 3000, host: "0.0.0.0" });
