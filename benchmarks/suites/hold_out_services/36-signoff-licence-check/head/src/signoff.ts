import type { APIGatewayProxyHandlerV2 } from "aws-lambda";
import { licensed } from "./licence";
import { close } from "./store";

export const handler: APIGatewayProxyHandlerV2 = async (event) => {
  const { inspectionId, inspectorId } = JSON.parse(event.body ?? "{}");
  if (!inspectionId || !inspectorId) return { statusCode: 400 };
  if (!(await licensed(inspectorId))) return { statusCode: 403 };
  await close(inspectionId, inspectorId);
  return { statusCode: 204 };
};
