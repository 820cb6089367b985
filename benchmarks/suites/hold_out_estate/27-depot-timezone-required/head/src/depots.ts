import { PrismaClient } from "@prisma/client";
import { z } from "zod";

const prisma = new PrismaClient();
const input = z.object({ name: z.string().min(2), timezone: z.string().min(3) });

export const list = () => prisma.depot.findMany({ orderBy: { name: "asc" } });
export const create = (body: unknown) => prisma.depot.create({ data: input.parse(body) });
