module.exports = {
  up: (qi, S) => qi.addColumn("merchants", "country", { type: S.STRING(2) }),
  down: (qi) => qi.removeColumn("merchants", "country"),
};
