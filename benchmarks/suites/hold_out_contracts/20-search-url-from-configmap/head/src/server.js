import express from "express";
import { search } from "./search.js";

const app = express();
app.get("/search", async (req, res) => res.json(await search(req.query.q ?? "")));
app.listen(Number(process.env.PORT ?? 3000));
