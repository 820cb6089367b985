import { randomInt } from "node:crypto";
import Redis from "ioredis";
import { sendCode } from "./sms";

const redis = new Redis(process.env.REDIS_URL!);

export async function start(phone: string) {
  const code = String(randomInt(100000, 999999));
  await redis.set(`code:${phone}`, code, "EX", 300);
  await sendCode(phone, code);
}
