const { PutObjectCommand, S3Client } = require("@aws-sdk/client-s3");
const { render } = require("./render");

const s3 = new S3Client({});

exports.handler = async (event) =>
  s3.send(new PutObjectCommand({ Bucket: process.env.BUCKET, Key: event.id, Body: render(event) }));
