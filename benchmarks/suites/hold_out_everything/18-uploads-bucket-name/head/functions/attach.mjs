import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";

const s3 = new S3Client({});

export async function handler(event) {
  const res = await s3.send(new GetObjectCommand({ Bucket: process.env.UPLOADS_BUCKET, Key: event.pathParameters.key }));
  return { statusCode: 200, isBase64Encoded: true, body: Buffer.from(await res.Body.transformToByteArray()).toString("base64") };
}
