const sharp = require("sharp");
const { get, put } = require("./store");

exports.handler = async (event) => {
  for (const r of event.Records) {
    const body = await get(r.s3.object.key);
    for (const w of [160, 480, 1200]) await put(`${w}/${r.s3.object.key}`, await sharp(body).resize(w).toBuffer());
  }
};
