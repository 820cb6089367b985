import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, QueryCommand } from "@aws-sdk/lib-dynamodb";

const ddb = DynamoDBDocumentClient.from(new DynamoDBClient({}));

export async function load(showId) {
  const out = await ddb.send(new QueryCommand({
    TableName: "seats",
    KeyConditionExpression: "showId = :s",
    ExpressionAttributeValues: { ":s": showId },
  }));
  return out.Items;
}
