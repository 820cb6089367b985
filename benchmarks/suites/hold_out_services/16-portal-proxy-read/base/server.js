const express = require("express");
const forms = require("./routes/forms");
const exportsRouter = require("./routes/exports");

const app = express();
app.use("/forms", forms);
app.use("/exports", exportsRouter);
app.get("/healthz", (_req, res) => res.send("ok"));
app.listen(3000);
