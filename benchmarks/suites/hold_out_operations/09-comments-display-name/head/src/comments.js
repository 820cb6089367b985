import { validName } from "./validate.js";
import { pool } from "./db.js";

export async function post(req, res) {
  const { name, text } = req.body;
  if (!validName(name)) {
    console.warn(`display name rejected len=${name?.length} name=${JSON.stringify(name)}`);
    return res.status(422).json({ error: "name" });
  }
  await pool.query("INSERT INTO comments (thread_id, name, body) VALUES ($1, $2, $3)", [req.params.id, name, text]);
  res.status(201).end();
}

export async function list(req, res) {
  const { rows } = await pool.query("SELECT name, body FROM comments WHERE thread_id = $1 ORDER BY id LIMIT 200", [req.params.id]);
  res.json(rows);
}
