const Fastify = require("fastify");
const puppeteer = require("puppeteer");

async function main() {
  const browser = await puppeteer.launch({ args: ["--no-sandbox"] });
  const app = Fastify();
  app.post("/render", async (req) => {
    const page = await browser.newPage();
    try {
      await page.setContent(req.body.html);
      return await page.pdf();
    } finally {
      await page.close();
    }
  });
  await app.listen({ port: 8080, host: "0.0.0.0" });
}

main();
