import { z } from "zod";

export const Order = z.object({
  customer: z.string().uuid(),
  lines: z.array(z.object({ sku: z.string(), quantity: z.number().int().positive() })).min(1),
  note: z.string().max(200).optional(),
});

export type Order = z.infer<typeof Order>;
