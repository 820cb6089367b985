import { createServer } from "node:http";
import { config } from "./config";
import { layout } from "./render";

createServer((_req, res) => res.end(JSON.stringify(layout([])))).listen(config.PORT);
