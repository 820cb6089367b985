import { DynamoDBClient, PutItemCommand } from "@aws-sdk/client-dynamodb";

const ddb = new DynamoDBClient({});

export const place = (order: Record<string, any>) => ddb.send(new PutItemCommand({ TableName: "shop", Item: order }));
