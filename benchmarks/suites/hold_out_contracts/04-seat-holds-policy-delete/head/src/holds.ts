import { GetCommand, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { db, table } from "./db";

const ttl = () => Math.floor(Date.now() / 1000) + 600;

export async function hold(seat: string, customer: string) {
  await db.send(new PutCommand({ TableName: table, Item: { seat, customer, state: "held", expires: ttl() }, ConditionExpression: "attribute_not_exists(seat)" }));
}

export async function extend(seat: string) {
  await db.send(new UpdateCommand({ TableName: table, Key: { seat }, UpdateExpression: "SET expires = :t", ExpressionAttributeValues: { ":t": ttl() } }));
}

// The row stays until its TTL, the state decides.
export async function release(seat: string) {
  await db.send(new UpdateCommand({ TableName: table, Key: { seat }, UpdateExpression: "SET #s = :r", ExpressionAttributeNames: { "#s": "state" }, ExpressionAttributeValues: { ":r": "released" } }));
}

export async function read(seat: string) {
  return (await db.send(new GetCommand({ TableName: table, Key: { seat } }))).Item;
}
