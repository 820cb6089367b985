import Fastify from "fastify";
import { start } from "./codes";

const app = Fastify({ logger: true });
app.post("/login/start", async (req, reply) => {
  await start((req.body as { phone: string }).phone);
  return reply.code(204).send();
});
app.listen({ port: 8080, host: "0.0.0.0" });
