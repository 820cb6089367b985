import { Hono } from "hono";
import type { Env } from "./env";
import { v2 } from "./v2";

const app = new Hono<Env>();
app.get("/health", (c) => c.text("ok"));
app.route("/v2", v2);

export default app;
