import type { Loaders } from "../loaders";

export const Customer = {
  addresses: (c: { id: string }, _: unknown, { loaders }: { loaders: Loaders }) => loaders.addresses.load(c.id),
};
