import Fastify from "fastify";
import { importObject } from "./importer.js";

const app = Fastify({ logger: true });

app.post<{ Body: { bucket: string; name: string; size: string } }>("/events/object-finalized", async (req) => {
  const { bucket, name, size } = req.body;
  req.log.info({ object: `gs://${bucket}/${name}`, bytes: Number(size) }, "import started");
  const rows = await importObject(bucket, name);
  req.log.info({ object: `gs://${bucket}/${name}`, rows }, "import finished");
  return { rows };
});

await app.listen({ host: "0.0.0.0", port: Number(process.env.PORT ?? 8080) });
