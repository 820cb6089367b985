exports.up = (knex) =>
  knex.schema
    .createTable("ab_experiments", (t) => {
      t.bigIncrements("id");
      t.text("name");
    })
    .createTable("ab_assignments", (t) => {
      t.bigIncrements("id");
      t.bigInteger("experiment_id");
      t.text("visitor");
    });

exports.down = (knex) => knex.schema.dropTable("ab_assignments").dropTable("ab_experiments");
