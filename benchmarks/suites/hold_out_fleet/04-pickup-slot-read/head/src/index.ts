import express from "express";
import { getOrder } from "./orders.js";

const app = express();
app.get("/api/orders/:id", async (req, res) => {
  const order = await getOrder(Number(req.params.id));
  order ? res.json(order) : res.sendStatus(404);
});
app.listen(8080);
