import { query } from "./engine";

export const resolvers = {
  Query: {
    search: (_: unknown, args: { text: string; region?: string }) => query(args.text, args.region ?? "*"),
  },
};
