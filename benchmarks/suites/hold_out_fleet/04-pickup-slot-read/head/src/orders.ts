import { PrismaClient } from "@prisma/client";

const prisma = new PrismaClient();

export async function getOrder(id: number) {
  const o = await prisma.order.findUnique({ where: { id } });
  if (!o) return null;
  return { id: o.id, box: o.boxSize, pickupSlot: o.pickupSlot, created: o.createdAt };
}
