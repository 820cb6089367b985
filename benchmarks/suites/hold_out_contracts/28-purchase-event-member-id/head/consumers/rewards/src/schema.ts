import { z } from "zod";

export const Purchase = z.object({
  receipt: z.string(),
  customerId: z.string(),
  memberId: z.string().optional(),
  totalMinor: z.number().int(),
});
