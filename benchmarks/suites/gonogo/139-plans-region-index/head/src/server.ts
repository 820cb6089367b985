import Fastify from "fastify";
import { PrismaClient } from "@prisma/client";

const db = new PrismaClient();
const app = Fastify();

app.get("/plans/:region", async (req) => {
  const { region } = req.params as { region: string };
  return db.plan.findMany({ where: { region }, orderBy: { validFrom: "desc" } });
});

app.listen({ port: 8080, host: "0.0.0.0" });
