export function profile(req, res) {
  res.json({ id: req.params.id });
}
