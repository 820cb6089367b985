import type { Hono } from "hono";
import type { Env } from "./env";
import { price } from "./price";

export function register(app: Hono<Env>) {
  app.post("/v2/quotes", async (c) => {
    const body = await c.req.json();
    const quote = { id: crypto.randomUUID(), total: price(body.kg, body.km) };
    await c.env.QUOTES.put(quote.id, JSON.stringify(quote), { expirationTtl: 86400 });
    return c.json(quote, 201);
  });
  app.get("/v2/quotes/:id", async (c) => {
    const quote = await c.env.QUOTES.get(c.req.param("id"), "json");
    return quote ? c.json(quote) : c.notFound();
  });
}
