const { locate } = require("./geocoder");

exports.handler = async (event) => {
  for (const record of event.Records) {
    const address = JSON.parse(record.body);
    await locate(address);
  }
};
