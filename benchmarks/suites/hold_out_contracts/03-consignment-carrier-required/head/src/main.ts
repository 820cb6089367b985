import Fastify from "fastify";
import { dataSource } from "./data-source";
import { latest } from "./read-model";

const app = Fastify();
app.get("/customers/:id/consignments", (req) => latest((req.params as { id: string }).id));
await dataSource.initialize();
await app.listen({ port: 8080, host: "0.0.0.0" });
