const express = require("express");
const limits = require("./limits");

const app = express();
app.post("/attempts/:ip", async (req, res, next) => {
  try {
    res.json({ allowed: (await limits.hit(req.params.ip)) <= 10 });
  } catch (err) {
    next(err);
  }
});
limits.connect().then(() => app.listen(8080));
