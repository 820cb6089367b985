import { createHash, timingSafeEqual } from "node:crypto";

const want = createHash("sha256").update(process.env.DEVICE_TOKEN).digest();

export function requireToken(req, res, next) {
  const got = createHash("sha256").update(req.get("x-device-token") ?? "").digest();
  if (!timingSafeEqual(got, want)) return res.status(401).json({ error: "token" });
  next();
}
