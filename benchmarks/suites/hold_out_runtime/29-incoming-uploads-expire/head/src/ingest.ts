import { CopyObjectCommand, DeleteObjectCommand, S3Client } from "@aws-sdk/client-s3";
import type { S3Event } from "aws-lambda";

const s3 = new S3Client({});

export async function handler(event: S3Event) {
  for (const { s3: { bucket, object }, eventTime } of event.Records) {
    const target = object.key.replace(/^incoming\//, "library/");
    await s3.send(new CopyObjectCommand({ Bucket: bucket.name, CopySource: `${bucket.name}/${object.key}`, Key: target }));
    await s3.send(new DeleteObjectCommand({ Bucket: bucket.name, Key: object.key }));
    console.log(`ingested ${object.key} age_s=${Math.round((Date.now() - Date.parse(eventTime)) / 1000)}`);
  }
}
