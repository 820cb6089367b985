import { DynamoDBClient, PutItemCommand } from "@aws-sdk/client-dynamodb";
import pLimit from "p-limit";
import { products } from "./source";

const WRITERS = 64;
const ddb = new DynamoDBClient({ maxAttempts: 1 });

export async function main() {
  const limit = pLimit(WRITERS);
  const jobs: Promise<unknown>[] = [];
  for await (const p of products()) {
    jobs.push(limit(() => ddb.send(new PutItemCommand({ TableName: "shop", Item: p }))));
  }
  await Promise.all(jobs);
}
