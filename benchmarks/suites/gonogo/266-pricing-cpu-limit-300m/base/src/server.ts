import Fastify from "fastify";
import { price } from "./rules";

const app = Fastify();
app.post("/price", (req) => price(req.body as Parameters<typeof price>[0]));
app.listen({ port: 3000, host: "0.0.0.0" });
