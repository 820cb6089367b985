module.exports = async (req, res) => res.json(await req.app.locals.db.items.list(req.query));
