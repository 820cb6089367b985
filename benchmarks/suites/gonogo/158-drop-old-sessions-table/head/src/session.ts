import Redis from "ioredis";

const redis = new Redis(process.env.REDIS_URL ?? "redis://localhost:6379");

export const load = (id: string) => redis.get(`session:${id}`);
export const save = (id: string, value: string) => redis.set(`session:${id}`, value, "EX", 86400);
