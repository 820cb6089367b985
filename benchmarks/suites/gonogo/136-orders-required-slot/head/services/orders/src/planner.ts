import type { Order } from "./schema";

export async function plan(order: Order) {
  return { customer: order.customer, lines: order.lines.length, slot: order.deliverySlot };
}
