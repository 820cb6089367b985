import Redis from "ioredis";

const redis = new Redis(process.env.REDIS_URL ?? "redis://localhost:6379");
const PREFIX = "branding:v2:";
const TTL_S = 3600;

export async function cached<T>(id: string, load: () => Promise<T>): Promise<T> {
  const hit = await redis.get(PREFIX + id);
  if (hit) return JSON.parse(hit) as T;
  const value = await load();
  await redis.set(PREFIX + id, JSON.stringify(value), "EX", TTL_S);
  return value;
}
