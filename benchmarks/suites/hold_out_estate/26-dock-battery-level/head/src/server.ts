import Fastify from "fastify";
import { bikesAt } from "./bikes.js";

const app = Fastify({ logger: true });
app.get("/healthz", async () => ({ ok: true }));
app.get<{ Params: { id: string } }>("/docks/:id/bikes", (req) => bikesAt(Number(req.params.id)));
await app.listen({ port: 3000, host: "0.0.0.0" });
