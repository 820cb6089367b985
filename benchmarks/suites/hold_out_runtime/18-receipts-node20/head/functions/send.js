const AWS = require("aws-sdk");
const { render } = require("./render");

const ses = new AWS.SES();

exports.handler = async (event) => {
  for (const record of event.Records) {
    const paid = JSON.parse(record.Sns.Message);
    await ses
      .sendEmail({
        Source: "receipts@tillkind.example",
        Destination: { ToAddresses: [paid.email] },
        Message: { Subject: { Data: "Your receipt" }, Body: { Text: { Data: render(paid) } } },
      })
      .promise();
  }
};
