import { findOrder, findOrders } from "../store";

export const Query = {
  order: (_: unknown, a: { id: string }) => findOrder(a.id),
  orders: (_: unknown, a: { customerId: string; first: number }) => findOrders(a.customerId, a.first),
};
