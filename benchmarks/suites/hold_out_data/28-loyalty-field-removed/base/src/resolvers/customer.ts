import type { Loaders } from "../loaders";

export const Customer = {
  loyaltyTier: (c: { points: number }) => (c.points > 1000 ? "GOLD" : "BASIC"),
  addresses: (c: { id: string }, _: unknown, { loaders }: { loaders: Loaders }) => loaders.addresses.load(c.id),
};
