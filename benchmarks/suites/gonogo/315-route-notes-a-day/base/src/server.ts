import express from "express";
import Redis from "ioredis";
import { notesFor } from "./notes.js";

const redis = new Redis(process.env.REDIS_URL!);
export const app = express();

app.get("/notes", async (req, res) => {
  const { line, leaves_at } = req.query as Record<string, string>;
  const key = `notes:${line}:${leaves_at}`;
  const known = await redis.get(key);
  if (known !== null) return res.type("json").send(known);
  const notes = await notesFor(line, leaves_at);
  await redis.set(key, notes, "EX", 900);
  res.type("json").send(notes);
});
