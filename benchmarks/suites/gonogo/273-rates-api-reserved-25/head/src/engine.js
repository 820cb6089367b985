const { DynamoDB } = require("@aws-sdk/client-dynamodb");
const ddb = new DynamoDB({});

exports.quote = async (pair) => (await ddb.getItem({ TableName: "rates", Key: { pair: { S: pair } } })).Item;
exports.reload = async () => ddb.scan({ TableName: "rates-source" });
