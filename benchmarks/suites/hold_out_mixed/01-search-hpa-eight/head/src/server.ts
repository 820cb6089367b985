import Fastify from "fastify";
import { query } from "./query";

const app = Fastify({ logger: true });
app.get("/search", async (req) => query((req.query as { q?: string }).q ?? ""));
app.get("/ready", async () => ({ ok: true }));
app.listen({ port: 9090, host: "0.0.0.0" });
