import { discountsOf } from "../store";

export const Order = {
  discounts: (o: { id: string }) => discountsOf(o.id),
  couponCode: async (o: { id: string }) => (await discountsOf(o.id))[0]?.code ?? null,
};
