const knex = require("knex");

exports.db = knex(require("../knexfile"));
