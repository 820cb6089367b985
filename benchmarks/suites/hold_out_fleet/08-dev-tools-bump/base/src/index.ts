import { Worker } from "bullmq";
import { Redis } from "ioredis";
import { subject } from "./subject.js";

const connection = new Redis(process.env.REDIS_URL ?? "redis://localhost:6379", { maxRetriesPerRequest: null });
new Worker("mail", async (job) => console.log(`mail to=${job.data.to} subject=${subject(job.data.kind)}`), { connection, concurrency: 20 });
