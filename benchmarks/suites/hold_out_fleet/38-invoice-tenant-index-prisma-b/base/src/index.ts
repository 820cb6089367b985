import Fastify from "fastify";
import { listInvoices } from "./invoices.js";

const app = Fastify({ logger: true });
app.get("/invoices", async (req) => listInvoices(req.query as never));
app.get("/healthz", async () => ({ ok: true }));
await app.listen({ port: 8080, host: "0.0.0.0" });
