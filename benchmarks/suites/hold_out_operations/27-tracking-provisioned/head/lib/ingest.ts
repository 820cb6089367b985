import { Duration } from "aws-cdk-lib";
import { Runtime } from "aws-cdk-lib/aws-lambda";
import { NodejsFunction } from "aws-cdk-lib/aws-lambda-nodejs";
import { Construct } from "constructs";

export function ingest(scope: Construct, table: string, timeout: Duration) {
  return new NodejsFunction(scope, "Ingest", {
    functionName: "tracking-events-ingest",
    entry: "src/ingest.ts",
    runtime: Runtime.NODEJS_20_X,
    timeout,
    environment: { TABLE: table },
  });
}
