import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, QueryCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";

const db = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const TableName = process.env.TABLE!;

export async function byCrane(crane: string) {
  const out = await db.send(new QueryCommand({ TableName, KeyConditionExpression: "crane = :c", ExpressionAttributeValues: { ":c": crane } }));
  return out.Items ?? [];
}

export async function close(id: string, by: string) {
  await db.send(new UpdateCommand({ TableName, Key: { crane: id.split("#")[0], id }, UpdateExpression: "SET closed_by = :b", ExpressionAttributeValues: { ":b": by } }));
}
