import type { APIGatewayProxyHandlerV2 } from "aws-lambda";
import { byCrane } from "./store";

export const handler: APIGatewayProxyHandlerV2 = async (event) => ({
  statusCode: 200,
  body: JSON.stringify(await byCrane(event.queryStringParameters?.crane ?? "")),
});
