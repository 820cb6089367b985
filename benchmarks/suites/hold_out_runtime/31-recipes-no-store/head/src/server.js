import express from "express";
import { pageHeaders } from "./middleware/headers.js";
import { recipePage, searchPage } from "./pages.js";

const app = express();
app.use("/recipes", pageHeaders);
app.get("/recipes/:slug", recipePage);
app.get("/recipes", searchPage);
app.get("/healthz", (_req, res) => res.send("ok"));
app.listen(3000);
