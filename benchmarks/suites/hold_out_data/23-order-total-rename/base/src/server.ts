import Fastify from "fastify";
import { PrismaClient } from "@prisma/client";

const db = new PrismaClient();
const app = Fastify();

app.get("/orders/:id", async (req) => {
  const { id } = req.params as { id: string };
  const order = await db.order.findUniqueOrThrow({ where: { id: BigInt(id) } });
  return { id, amount: order.totalCents };
});

app.listen({ port: 8080, host: "0.0.0.0" });
