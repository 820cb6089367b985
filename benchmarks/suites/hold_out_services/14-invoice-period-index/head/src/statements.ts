import { PrismaClient } from "@prisma/client";
import { previousPeriod, clinics, send } from "./lib";

const db = new PrismaClient();

export const handler = async () => {
  const period = previousPeriod(new Date());
  for (const clinicId of await clinics()) {
    const sum = await db.invoice.aggregate({ where: { clinicId, period }, _sum: { cents: true }, _count: true });
    await send(clinicId, period, sum);
  }
};
