import { parcelByCode, scansOf } from "./tracking.js";

export const resolvers = {
  Query: {
    parcel: (_root, { code }) => parcelByCode(code),
  },
  Parcel: {
    events: (parcel) => scansOf(parcel.code),
  },
};
