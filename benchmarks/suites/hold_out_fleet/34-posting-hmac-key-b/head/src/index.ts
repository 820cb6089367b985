import Fastify from "fastify";
import { config } from "./config.js";
import { digest, type Posting } from "./postings.js";

const app = Fastify({ logger: true });
app.post("/postings", async (req) => ({ id: digest(req.body as Posting, config.postingHmacKey), region: config.region }));
await app.listen({ port: 8080, host: "0.0.0.0" });
