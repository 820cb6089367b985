const { Router } = require("express");
const db = require("../db");

const router = Router();

router.get("/:id", async (req, res) => {
  const { rows } = await db.query("SELECT * FROM forms WHERE id = $1", [req.params.id]);
  res.json(rows[0]);
});

module.exports = router;
