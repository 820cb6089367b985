exports.up = (knex) => knex.schema.dropTable("ab_assignments").dropTable("ab_experiments");

exports.down = () => {
  throw new Error("restore from the dump");
};
