import { Router } from "express";
import { redis } from "./redis.js";

export const tracks = Router();

tracks.get("/:exhibit/:lang", async (req, res) => {
  const url = await redis.hGet(`exhibit:${req.params.exhibit}`, req.params.lang);
  if (!url) return res.sendStatus(404);
  res.json({ url });
});
