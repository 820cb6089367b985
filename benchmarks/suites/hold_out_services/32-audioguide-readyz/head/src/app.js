import express from "express";
import { requireToken } from "./auth.js";
import { redis } from "./redis.js";
import { tracks } from "./tracks.js";

export const app = express();

app.get("/healthz", (_req, res) => res.send("ok"));

app.use(requireToken);

app.use("/tracks", tracks);

app.get("/readyz", async (_req, res) => {
  const pong = await redis.ping().catch(() => null);
  res.status(pong ? 200 : 503).end();
});
