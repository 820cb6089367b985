import { z } from "zod";

export const Purchase = z.object({
  receipt: z.string(),
  customerId: z.string(),
  loyaltyId: z.string(),
  totalMinor: z.number().int(),
});
