import { Duration, RemovalPolicy, Stack, StackProps } from "aws-cdk-lib";
import { AttributeType, BillingMode, Table } from "aws-cdk-lib/aws-dynamodb";
import { Construct } from "constructs";
import { ingest } from "./ingest";

export class EventsStack extends Stack {
  constructor(scope: Construct, id: string, props: StackProps) {
    super(scope, id, props);
    const table = new Table(this, "Events", {
      tableName: "label-prints",
      partitionKey: { name: "parcel", type: AttributeType.STRING },
      sortKey: { name: "at", type: AttributeType.NUMBER },
      billingMode: BillingMode.PAY_PER_REQUEST,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    table.grantWriteData(ingest(this, table.tableName, Duration.seconds(10)));
  }
}
