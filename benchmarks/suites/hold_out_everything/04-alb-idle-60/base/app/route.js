exports.route = async (req, res) => {
  if (req.url === "/healthz") return res.writeHead(204).end();
  res.setHeader("content-type", "application/json");
  res.end(JSON.stringify({ path: req.url }));
};
