import express from "express";
import { create } from "./create";

const app = express();
app.use(express.json());
app.post("/", async (req, res) => {
  const id = await create(req.body.customer, req.body.total, req.body.note ?? null, req.body.code ?? null);
  res.status(201).json({ id });
});
app.listen(8080);
