const { Pool } = require("pg");
const pool = new Pool({ max: 8 });

exports.episodes = async (show) =>
  (await pool.query("SELECT title, url, published FROM episodes WHERE show = $1 ORDER BY published DESC LIMIT 200", [show])).rows;
