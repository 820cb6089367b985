import type { Knex } from "knex";

export async function up(knex: Knex) {
  await knex.schema.createTable("bikes", (t) => {
    t.bigIncrements("id");
    t.integer("dock_id").index();
    t.string("model", 32).notNullable();
    t.boolean("locked").notNullable().defaultTo(false);
  });
}

export async function down(knex: Knex) {
  await knex.schema.dropTable("bikes");
}
