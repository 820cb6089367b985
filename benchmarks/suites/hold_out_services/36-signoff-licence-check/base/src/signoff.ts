import type { APIGatewayProxyHandlerV2 } from "aws-lambda";
import { close } from "./store";

export const handler: APIGatewayProxyHandlerV2 = async (event) => {
  const { inspectionId, inspectorId } = JSON.parse(event.body ?? "{}");
  if (!inspectionId || !inspectorId) return { statusCode: 400 };
  await close(inspectionId, inspectorId);
  return { statusCode: 204 };
};
