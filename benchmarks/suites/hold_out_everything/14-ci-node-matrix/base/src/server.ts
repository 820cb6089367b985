import Fastify from "fastify";
import { albums } from "./albums";

const app = Fastify();
app.get("/albums/:user", (req) => albums((req.params as { user: string }).user));
app.listen({ port: 8080, host: "0.0.0.0" });
