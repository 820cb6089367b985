module.exports = {
  up: (qi) =>
    qi.sequelize.query('CREATE UNIQUE INDEX CONCURRENTLY merchants_external_ref_key ON merchants (external_ref)'),
  down: (qi) => qi.sequelize.query('DROP INDEX CONCURRENTLY merchants_external_ref_key'),
};
