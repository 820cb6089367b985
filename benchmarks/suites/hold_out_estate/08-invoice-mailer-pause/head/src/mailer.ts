import { SESv2Client, SendEmailCommand } from "@aws-sdk/client-sesv2";
import { pdfFor } from "./pdf";

const ses = new SESv2Client({});

export async function handler(event: { Records: { body: string }[] }) {
  for (const record of event.Records) {
    const invoice = JSON.parse(record.body);
    await ses.send(new SendEmailCommand({
      Destination: { ToAddresses: [invoice.email] },
      Content: { Raw: { Data: await pdfFor(invoice) } },
    }));
  }
}
