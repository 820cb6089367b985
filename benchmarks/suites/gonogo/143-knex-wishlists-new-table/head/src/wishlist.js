const express = require("express");
const { db } = require("./db");

const router = express.Router();
router.post("/wishlist", async (req, res) => {
  const [row] = await db("wishlist_items").insert({ customer_id: req.body.customer, product_id: req.body.product }).returning(["id"]);
  res.status(201).json(row);
});

module.exports = router;
