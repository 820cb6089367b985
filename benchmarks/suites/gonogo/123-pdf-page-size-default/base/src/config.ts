import { z } from "zod";

export const config = z
  .object({
    BUCKET: z.string().min(1),
    PORT: z.coerce.number().default(8080),
  })
  .parse(process.env);
