import { byCity, byId } from "./source";

export const resolvers = {
  Query: {
    venue: (_: unknown, a: { id: string }) => byId(a.id),
    venues: (_: unknown, a: { city: string }) => byCity(a.city),
  },
};
