const redis = require("redis");

const client = redis.createClient({ url: process.env.REDIS_URL });

exports.load = (sid, cb) => {
  client.get(`s:${sid}`, (err, raw) => cb(err, raw ? JSON.parse(raw) : null));
};

exports.save = (sid, data, cb) => {
  client.setex(`s:${sid}`, 86400, JSON.stringify(data), cb);
};
