import { Duration } from "aws-cdk-lib";
import { Runtime } from "aws-cdk-lib/aws-lambda";
import * as nodejs from "aws-cdk-lib/aws-lambda-nodejs";
import { Construct } from "constructs";

export function ingest(scope: Construct, table: string, timeout: Duration) {
  return new nodejs.NodejsFunction(scope, "Ingest", {
    functionName: "label-prints-ingest",
    entry: "src/ingest.ts",
    runtime: Runtime.NODEJS_20_X,
    timeout,
    environment: { TABLE: table },
  });
}
