import Fastify from "fastify";
import { branding } from "./branding";

const app = Fastify();
app.get("/branding/:tenant", (req) => branding((req.params as { tenant: string }).tenant));
app.listen({ port: 8080, host: "0.0.0.0" });
