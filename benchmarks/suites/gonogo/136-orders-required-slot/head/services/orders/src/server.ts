import express from "express";
import { Order } from "./schema";
import { plan } from "./planner";

const app = express();
app.use(express.json());

app.post("/v2/orders", async (req, res) => {
  const parsed = Order.safeParse(req.body);
  if (!parsed.success) return res.status(400).json(parsed.error.flatten());
  res.status(201).json(await plan(parsed.data));
});

app.listen(8080);
