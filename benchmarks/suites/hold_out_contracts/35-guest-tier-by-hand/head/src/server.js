import express from "express";
import makeKnex from "knex";
import config from "../knexfile.js";

const knex = makeKnex(config);
const app = express();

app.get("/guests/:id", async (req, res) => {
  const guest = await knex("guests").select("id", "name", "language", "tier").where({ id: req.params.id }).first();
  res.json(guest ?? null);
});

app.listen(3000);
