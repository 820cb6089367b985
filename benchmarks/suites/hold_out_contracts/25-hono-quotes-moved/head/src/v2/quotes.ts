import { Hono } from "hono";
import type { Env } from "../env";
import { price } from "../price";

export const quotes = new Hono<Env>()
  .post("/", async (c) => {
    const body = await c.req.json();
    const quote = { id: crypto.randomUUID(), total: price(body.kg, body.km) };
    await c.env.QUOTES.put(quote.id, JSON.stringify(quote), { expirationTtl: 86400 });
    return c.json(quote, 201);
  })
  .get("/:id", async (c) => {
    const quote = await c.env.QUOTES.get(c.req.param("id"), "json");
    return quote ? c.json(quote) : c.notFound();
  });
