exports.up = (knex) =>
  knex.schema.createTable("products", (t) => {
    t.bigIncrements("id");
    t.text("title").notNullable();
  });

exports.down = (knex) => knex.schema.dropTable("products");
