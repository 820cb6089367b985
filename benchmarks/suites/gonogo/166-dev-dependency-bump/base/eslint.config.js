module.exports = [{ rules: { "no-unused-vars": "error" } }];
