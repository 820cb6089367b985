const { Router } = require("express");
const store = require("../store");

const router = Router();
router.get("/:code", async (req, res) => res.json(await store.coupon(req.params.code)));
router.post("/:code/redeem", async (req, res) => res.json(await store.redeem(req.params.code)));
module.exports = router;
