import { byCity, byId } from "./source";

export const resolvers = {
  Query: {
    venue: (_: unknown, a: { id: string }) => byId(a.id),
    venues: async (_: unknown, a: { city: string; stepFree?: boolean }) => (await byCity(a.city)).filter((v) => !a.stepFree || v.steps === 0),
  },
  Venue: {
    stepFree: (v: { steps?: number }) => (v.steps === undefined ? null : v.steps === 0),
  },
};
