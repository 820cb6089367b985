import { InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";

const lambda = new LambdaClient({});

export async function licensed(inspectorId: string): Promise<boolean> {
  const out = await lambda.send(new InvokeCommand({ FunctionName: "licence-check", Payload: JSON.stringify({ inspectorId }) }));
  return JSON.parse(Buffer.from(out.Payload ?? []).toString()).valid === true;
}
