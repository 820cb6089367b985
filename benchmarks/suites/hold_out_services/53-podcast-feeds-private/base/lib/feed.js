const { episodes } = require("./store");
const { rss } = require("./rss");

module.exports = async function feed(req, res) {
  const list = await episodes(req.params.show);
  if (!list.length) return res.sendStatus(404);
  res.set("Cache-Control", "public, max-age=300");
  res.type("application/rss+xml").send(rss(req.params.show, list));
};
