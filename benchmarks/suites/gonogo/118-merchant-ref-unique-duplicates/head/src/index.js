const http = require("node:http");
const { importMerchant } = require("./importer");

http
  .createServer(async (req, res) => {
    let body = "";
    for await (const chunk of req) body += chunk;
    await importMerchant(JSON.parse(body));
    res.writeHead(204).end();
  })
  .listen(8080);
