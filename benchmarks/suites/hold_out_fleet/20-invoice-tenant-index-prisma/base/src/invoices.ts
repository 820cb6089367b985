import { prisma } from "./db.js";

export interface ListQuery { tenantId: string; status?: string; before?: Date }

export function listInvoices(q: ListQuery) {
  return prisma.invoice.findMany({
    where: { tenantId: q.tenantId, ...(q.status ? { status: q.status } : {}), ...(q.before ? { issuedAt: { lt: q.before } } : {}) },
    orderBy: { issuedAt: "desc" },
    take: 50,
  });
}
