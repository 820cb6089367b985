import { PrismaClient } from "@prisma/client";

const db = new PrismaClient();

export const handler = async (e: { pathParameters: { owner: string } }) => {
  const rows = await db.invoice.findMany({ where: { ownerId: Number(e.pathParameters.owner) }, take: 50 });
  return { statusCode: 200, body: JSON.stringify(rows.map((r) => ({ period: r.period, cents: r.cents }))) };
};
