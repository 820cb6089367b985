import Fastify from "fastify";
import { detail } from "./detail";
import { list } from "./list";

const app = Fastify();
app.get("/orders", (req) => list(req.headers["x-customer"] as string, Number((req.query as any).page ?? 0)));
app.get("/orders/:id", (req) => detail((req.params as any).id));
app.listen({ port: 8080, host: "0.0.0.0" });
