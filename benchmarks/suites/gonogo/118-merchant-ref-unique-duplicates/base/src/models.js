const { DataTypes, Sequelize } = require("sequelize");

const sequelize = new Sequelize(process.env.DATABASE_URL);
const Merchant = sequelize.define("merchant", {
  external_ref: DataTypes.STRING,
  name: DataTypes.STRING,
});

module.exports = { sequelize, Merchant };
