import { Hono } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { shippingQuote } from "./quotes.js";

const app = new Hono();
app.get("/p/:sku/shipping", async (c) => {
  const session = getCookie(c, "sid") ?? crypto.randomUUID();
  setCookie(c, "sid", session, { httpOnly: true, maxAge: 86400 });
  return c.json(await shippingQuote({ zip: c.req.query("zip") ?? "10", weightClass: "m" }, session));
});
export default app;
