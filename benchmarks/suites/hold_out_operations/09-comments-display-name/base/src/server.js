import express from "express";
import { post, list } from "./comments.js";

const app = express();
app.use(express.json({ limit: "64kb" }));
app.get("/healthz", (_req, res) => res.send("ok"));
app.get("/threads/:id/comments", list);
app.post("/threads/:id/comments", post);
app.listen(8080);
