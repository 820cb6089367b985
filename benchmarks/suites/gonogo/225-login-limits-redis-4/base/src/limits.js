const redis = require("redis");

const client = redis.createClient({ url: process.env.REDIS_URL });

exports.hit = (ip, cb) => {
  client.incr(`l:${ip}`, (err, n) => {
    if (err) return cb(err);
    if (n === 1) return client.expire(`l:${ip}`, 60, () => cb(null, n));
    cb(null, n);
  });
};
