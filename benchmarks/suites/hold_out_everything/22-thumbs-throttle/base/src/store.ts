import { GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";

const s3 = new S3Client({});
const Bucket = "snapkeep-media";

export async function get(Key: string): Promise<Uint8Array> {
  const res = await s3.send(new GetObjectCommand({ Bucket, Key }));
  return res.Body!.transformToByteArray();
}

export async function put(Key: string, Body: Buffer): Promise<void> {
  await s3.send(new PutObjectCommand({ Bucket, Key, Body }));
}
