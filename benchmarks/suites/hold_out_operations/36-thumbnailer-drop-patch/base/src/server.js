import Fastify from "fastify";
import { thumb } from "./thumb.js";

const app = Fastify({ bodyLimit: 40 * 1024 * 1024 });
app.addContentTypeParser("*", { parseAs: "buffer" }, (req, body, done) => done(null, body));
app.get("/healthz", async () => ({ ok: true }));
app.post("/thumb/:width", async (req, reply) => {
  reply.type("image/webp");
  return thumb(req.body, Number(req.params.width));
});
app.listen({ port: 8080, host: "0.0.0.0" });
