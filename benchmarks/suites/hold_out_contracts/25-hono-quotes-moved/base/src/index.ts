import { Hono } from "hono";
import type { Env } from "./env";
import { register } from "./quotes";

const app = new Hono<Env>();
app.get("/health", (c) => c.text("ok"));
register(app);

export default app;
