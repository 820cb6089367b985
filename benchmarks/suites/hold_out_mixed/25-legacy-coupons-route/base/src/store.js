const { Pool } = require("pg");

const pool = new Pool();
exports.coupon = async (code) => (await pool.query("SELECT * FROM coupons WHERE code = $1", [code])).rows[0];
exports.redeem = async (code) => (await pool.query("UPDATE coupons SET used = used + 1 WHERE code = $1 RETURNING *", [code])).rows[0];
exports.campaigns = async () => (await pool.query("SELECT * FROM campaigns")).rows;
