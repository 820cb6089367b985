const AWS = require("aws-sdk");
const { subject } = require("./text");

const ses = new AWS.SES();

exports.handler = async (event) => {
  await ses.sendEmail({
    Source: process.env.SENDER,
    Destination: { ToAddresses: [event.to] },
    Message: { Subject: { Data: subject(event) }, Body: { Html: { Data: event.html } } },
  }).promise();
};
