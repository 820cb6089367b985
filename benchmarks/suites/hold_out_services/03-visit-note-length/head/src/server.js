import Fastify from "fastify";
import postgres from "postgres";

const sql = postgres(process.env.DATABASE_URL, { max: 8 });
const app = Fastify({ logger: true });

app.post("/visits/:id/notes", { schema: { body: { type: "object", required: ["note"], properties: { note: { type: "string", maxLength: 280 } } } } },
  async (req, reply) => {
    await sql`INSERT INTO visit_notes (visit_id, note) VALUES (${req.params.id}, ${req.body.note})`;
    return reply.code(201).send();
  });

app.get("/visits/:id/notes", (req) => sql`SELECT note, created_at FROM visit_notes WHERE visit_id = ${req.params.id}`);

app.listen({ host: "0.0.0.0", port: 3000 });
