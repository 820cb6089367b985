const express = require("express");
const { variant } = require("./variants");

const app = express();
app.get("/home", async (req, res) => res.json({ variant: await variant(req.get("x-visitor")) }));
app.listen(process.env.PORT || 3000);
