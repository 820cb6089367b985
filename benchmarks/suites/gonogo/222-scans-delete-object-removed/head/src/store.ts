import { GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";

const s3 = new S3Client({});
const Bucket = "clinicfile-scans";

export const save = (id: string, Body: Buffer) => s3.send(new PutObjectCommand({ Bucket, Key: `${id}.tiff`, Body }));
export const load = (id: string) => s3.send(new GetObjectCommand({ Bucket, Key: `${id}.tiff` }));
