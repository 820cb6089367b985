const Redis = require("ioredis");
const redis = new Redis(process.env.REDIS_URL);

exports.redeem = async (code) => ({ ok: (await redis.srem("coupons", code)) === 1 });
