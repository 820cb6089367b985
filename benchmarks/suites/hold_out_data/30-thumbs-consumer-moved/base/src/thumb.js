const sharp = require("sharp");

exports.handler = async (event) => {
  for (const r of event.Records) await sharp(JSON.parse(r.body).path).resize(320).toBuffer();
};
