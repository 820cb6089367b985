const redis = require("redis");

const client = redis.createClient({ url: process.env.REDIS_URL });
client.on("error", (err) => console.error("redis", err.message));

exports.connect = () => client.connect();

exports.hit = async (ip) => {
  const n = await client.incr(`l:${ip}`);
  if (n === 1) await client.expire(`l:${ip}`, 60);
  return n;
};
