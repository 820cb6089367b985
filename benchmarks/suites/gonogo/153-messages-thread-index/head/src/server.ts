import Fastify from "fastify";
import { PrismaClient } from "@prisma/client";

const db = new PrismaClient();
const app = Fastify();

app.post("/threads/:id/messages", async (req) => {
  const { id } = req.params as { id: string };
  return db.message.create({ data: { threadId: BigInt(id), body: (req.body as { body: string }).body } });
});

app.get("/threads/:id/messages", async (req) => {
  const { id } = req.params as { id: string };
  return db.message.findMany({ where: { threadId: BigInt(id) }, orderBy: { sentAt: "desc" }, take: 50 });
});

app.listen({ port: 8080, host: "0.0.0.0" });
