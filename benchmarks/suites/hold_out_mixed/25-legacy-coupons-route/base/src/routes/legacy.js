const { Router } = require("express");
const store = require("../store");

const router = Router();
router.get("/coupons/:code/check", async (req, res) => res.json({ ok: Boolean(await store.coupon(req.params.code)) }));
router.post("/coupons/:code/use", async (req, res) => res.json(await store.redeem(req.params.code)));
module.exports = router;
