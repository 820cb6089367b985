import { parcelByCode, scansOf } from "./tracking.js";

export const resolvers = {
  Query: {
    parcel: (_root, { code }) => parcelByCode(code),
  },
  Parcel: {
    lastScanAt: async (parcel) => (await scansOf(parcel.code)).at(-1)?.at ?? null,
    events: (parcel) => scansOf(parcel.code),
  },
};
