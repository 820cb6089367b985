import { SQS } from "@aws-sdk/client-sqs";
import { deliver } from "./deliver";

const sqs = new SQS({});
const QueueUrl = process.env.QUEUE_URL!;

export async function main() {
  for (;;) {
    const { Messages = [] } = await sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 20 });
    for (const m of Messages) {
      await deliver(JSON.parse(m.Body!));
      await sqs.deleteMessage({ QueueUrl, ReceiptHandle: m.ReceiptHandle! });
    }
  }
}
