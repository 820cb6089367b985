const { quote } = require("./engine");

exports.handler = async (event) => ({ statusCode: 200, body: JSON.stringify(await quote(event.pathParameters.pair)) });
