import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";

const db = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const TableName = process.env.STATE_TABLE!;

export async function read(deviceId: string) {
  return (await db.send(new GetCommand({ TableName, Key: { deviceId } }))).Item;
}

export async function write(deviceId: string, state: Record<string, unknown>) {
  await db.send(new PutCommand({ TableName, Item: { deviceId, ...state } }));
}
