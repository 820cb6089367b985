const express = require("express");
const coupons = require("./routes/coupons");
const campaigns = require("./routes/campaigns");

const app = express();
app.use(express.json());
app.use("/v2/coupons", coupons);
app.use("/v2/campaigns", campaigns);
app.listen(3000);
