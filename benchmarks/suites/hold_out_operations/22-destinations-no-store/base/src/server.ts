import express from "express";
import { pageCache } from "./cache.js";
import { destination } from "./pages/destination.js";

const app = express();
app.get("/healthz", (_req, res) => res.send("ok"));
app.use("/d", pageCache);
app.get("/d/:slug", destination);
app.listen(3000);
