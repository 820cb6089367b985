import { PrismaClient } from "@prisma/client";
import Fastify from "fastify";
import { label } from "./status";

const prisma = new PrismaClient();
const app = Fastify();
app.get("/subscriptions/:id", async (req) => {
  const s = await prisma.subscription.findUniqueOrThrow({ where: { id: BigInt((req.params as { id: string }).id) } });
  return { id: s.id.toString(), status: label[s.status] };
});
await app.listen({ port: 3000, host: "0.0.0.0" });
