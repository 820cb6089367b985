import Fastify from "fastify";
import session from "@fastify/session";
import { fares } from "./fares.js";

const app = Fastify({ logger: true });
app.register(session, { secret: process.env.SESSION_SECRET ?? "" });
app.get("/fares", fares);
app.listen({ port: 8080, host: "0.0.0.0" });
