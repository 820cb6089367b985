import { Order } from "../src/resolvers/order";

test("discounts resolver exists", () => {
  expect(typeof Order.discounts).toBe("function");
});

test("coupon resolver exists", () => {
  expect(typeof Order.couponCode).toBe("function");
});
