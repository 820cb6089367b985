const { reload } = require("./engine");

exports.handler = async () => reload();
