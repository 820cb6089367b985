import { discountsOf } from "../store";

export const Order = {
  discounts: (o: { id: string }) => discountsOf(o.id),
};
