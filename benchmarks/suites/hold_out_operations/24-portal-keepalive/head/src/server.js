import express from "express";
import { routes } from "./routes.js";

const app = express();
app.use(express.json({ limit: "400kb" }));
app.use(routes);

const server = app.listen(8080);
server.keepAliveTimeout = 5_000;
server.headersTimeout = 10_000;
