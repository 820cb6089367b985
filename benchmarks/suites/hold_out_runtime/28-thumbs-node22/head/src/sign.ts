import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";

const s3 = new S3Client({});

export const handler = async (event: { pathParameters: { id: string } }) => ({
  statusCode: 302,
  headers: { location: await getSignedUrl(s3, new GetObjectCommand({ Bucket: "pinwall-thumbs", Key: event.pathParameters.id }), { expiresIn: 300 }) },
});
