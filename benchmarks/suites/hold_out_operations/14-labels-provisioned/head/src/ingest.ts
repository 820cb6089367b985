import { DynamoDBClient, PutItemCommand } from "@aws-sdk/client-dynamodb";

const db = new DynamoDBClient({ maxAttempts: 2 });

export async function handler(event: { parcel: string; at: number; code: string }) {
  await db.send(new PutItemCommand({
    TableName: process.env.TABLE,
    Item: { parcel: { S: event.parcel }, at: { N: String(event.at) }, code: { S: event.code } },
  }));
}
