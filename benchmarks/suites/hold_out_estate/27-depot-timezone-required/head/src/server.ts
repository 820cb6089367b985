import express from "express";
import { create, list } from "./depots";

const app = express();
app.use(express.json());
app.get("/depots", async (_req, res) => res.json(await list()));
app.post("/depots", async (req, res) => res.status(201).json(await create(req.body)));
app.listen(Number(process.env.PORT ?? 8080));
