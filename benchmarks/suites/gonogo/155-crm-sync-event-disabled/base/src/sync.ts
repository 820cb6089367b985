import type { SQSEvent } from "aws-lambda";
import { push } from "./crm";

export const handler = async (event: SQSEvent) => {
  for (const r of event.Records) await push(JSON.parse(r.body));
};
