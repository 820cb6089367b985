const express = require("express");
const { db } = require("./db");

const app = express();
app.use(express.json());
app.get("/products/:id", async (req, res) => res.json(await db("products").where({ id: req.params.id }).first()));
app.listen(8080);
