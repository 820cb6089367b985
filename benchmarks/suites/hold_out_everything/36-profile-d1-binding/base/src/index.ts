import { Hono } from "hono";
import { profile } from "./profile";

export interface Env { DB: D1Database; AVATARS: KVNamespace }

const app = new Hono<{ Bindings: Env }>();

app.get("/p/:handle", (c) => profile(c.env, c.req.param("handle")));
app.get("/avatar/:handle", async (c) => {
  const image = await c.env.AVATARS.get(c.req.param("handle"), "arrayBuffer");
  return image ? new Response(image) : c.notFound();
});

export default app;
