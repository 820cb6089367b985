const express = require("express");

const app = express();
app.use(express.json());

app.use("/locations", require("./routes/locations"));
app.get("/health", (_req, res) => res.send("ok"));

app.listen(8080);
