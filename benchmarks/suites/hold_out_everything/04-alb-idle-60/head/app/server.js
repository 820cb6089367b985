const http = require("node:http");
const { route } = require("./route");

const server = http.createServer(route);
server.keepAliveTimeout = 310_000;
server.headersTimeout = 311_000;
server.listen(8080);
