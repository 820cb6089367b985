import express from "express";
import { routes } from "./routes.js";

const app = express();
app.use(express.json({ limit: "100kb" }));
app.use(routes);

const server = app.listen(8080);
server.keepAliveTimeout = 75_000;
server.headersTimeout = 80_000;
