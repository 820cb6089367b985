const express = require("express");
const sessions = require("./sessions");

const app = express();
app.use((req, res, next) => sessions.load(req.get("x-session"), (err, s) => { req.session = s; next(err); }));
app.get("/basket", (req, res) => res.json(req.session ? req.session.basket : []));
app.listen(8080);
