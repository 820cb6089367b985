exports.handler = async (event) => {
  for (const r of event.Records) console.log("bounce", r.Sns.MessageId);
};
