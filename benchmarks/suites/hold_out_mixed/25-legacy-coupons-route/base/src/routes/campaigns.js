const { Router } = require("express");
const store = require("../store");

const router = Router();
router.get("/", async (req, res) => res.json(await store.campaigns()));
module.exports = router;
