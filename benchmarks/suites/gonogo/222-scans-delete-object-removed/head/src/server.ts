import Fastify from "fastify";
import { load, save } from "./store";

const app = Fastify({ bodyLimit: 30_000_000 });
app.put("/scans/:id", async (req) => save((req.params as { id: string }).id, req.body as Buffer));
app.get("/scans/:id", async (req) => (await load((req.params as { id: string }).id)).Body);
app.listen({ port: 8080, host: "0.0.0.0" });
