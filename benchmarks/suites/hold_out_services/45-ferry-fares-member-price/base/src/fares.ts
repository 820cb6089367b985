import type { FastifyRequest } from "fastify";
import { redis } from "./redis.js";
import { quote } from "./reservation.js";

const TTL_S = 1800;

export function fareKey(route: string, day: string): string {
  return `fare:${route}:${day}`;
}

export async function fares(req: FastifyRequest) {
  const { route, day } = req.query as { route: string; day: string };
  const key = fareKey(route, day);
  const hit = await redis.get(key);
  if (hit) return JSON.parse(hit);
  const fresh = await quote(route, day);
  await redis.set(key, JSON.stringify(fresh), "EX", TTL_S);
  return fresh;
}
