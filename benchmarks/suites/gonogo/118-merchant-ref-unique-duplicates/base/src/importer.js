const { Merchant } = require("./models");

async function importMerchant(row) {
  const found = await Merchant.findOne({ where: { external_ref: row.ref } });
  return found ? found.update(row) : Merchant.create({ external_ref: row.ref, name: row.name });
}

module.exports = { importMerchant };
