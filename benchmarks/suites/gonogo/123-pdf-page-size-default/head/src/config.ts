import { z } from "zod";

export const config = z
  .object({
    BUCKET: z.string().min(1),
    PORT: z.coerce.number().default(8080),
    PAGE_SIZE: z.enum(["A4", "Letter"]).default("A4"),
    MAX_PAGES: z.coerce.number().int().positive().default(40),
  })
  .parse(process.env);
