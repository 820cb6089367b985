import { SQSClient, SendMessageCommand } from "@aws-sdk/client-sqs";

const sqs = new SQSClient({});

export async function signedUp(customer: { id: string; email: string; locale: string }): Promise<void> {
  await sqs.send(
    new SendMessageCommand({
      QueueUrl: process.env.SIGNUPS_URL,
      MessageBody: JSON.stringify({
        customer_id: customer.id,
        email: customer.email,
        locale: customer.locale,
      }),
    }),
  );
}
