const express = require("express");
const store = require("../store");

const router = express.Router();

router.get("/", async (req, res) => res.json(await store.near(req.query.lat, req.query.lon)));
router.get("/:locationId", async (req, res) => res.json(await store.get(req.params.locationId)));
router.delete("/:locationId", async (req, res) => {
  await store.remove(req.params.locationId);
  res.status(204).end();
});

module.exports = router;
