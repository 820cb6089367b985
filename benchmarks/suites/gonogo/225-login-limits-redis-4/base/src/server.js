const express = require("express");
const limits = require("./limits");

const app = express();
app.post("/attempts/:ip", (req, res, next) => limits.hit(req.params.ip, (err, n) => (err ? next(err) : res.json({ allowed: n <= 10 }))));
app.listen(8080);
