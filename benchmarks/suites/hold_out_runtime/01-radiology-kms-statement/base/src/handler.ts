import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";

const s3 = new S3Client({});

export async function handler(event: { pathParameters: { study: string } }) {
  const out = await s3.send(new GetObjectCommand({ Bucket: "scans-7781", Key: `${event.pathParameters.study}.dcm` }));
  return { statusCode: 200, isBase64Encoded: true, body: await out.Body!.transformToString("base64") };
}
