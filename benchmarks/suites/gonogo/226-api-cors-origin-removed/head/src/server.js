const cors = require("cors");
const express = require("express");
const { origins } = require("./origins");

const app = express();
app.use(cors({ origin: origins, credentials: true }));
app.get("/items", require("./items"));
app.listen(8080);
