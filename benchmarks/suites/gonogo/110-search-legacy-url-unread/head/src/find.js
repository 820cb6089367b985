const { search } = require("./client");

exports.handler = async (event) => ({ statusCode: 200, body: JSON.stringify(await search(event.queryStringParameters.q)) });
