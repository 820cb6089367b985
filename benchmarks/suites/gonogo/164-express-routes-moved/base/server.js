const express = require("express");
const store = require("./store");

const app = express();
app.use(express.json());

app.get("/locations", async (req, res) => res.json(await store.near(req.query.lat, req.query.lon)));
app.get("/locations/:id", async (req, res) => res.json(await store.get(req.params.id)));
app.delete("/locations/:id", async (req, res) => {
  await store.remove(req.params.id);
  res.status(204).end();
});
app.get("/health", (_req, res) => res.send("ok"));

app.listen(8080);
