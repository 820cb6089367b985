import type { Knex } from "knex";

export async function up(knex: Knex) {
  await knex.schema.alterTable("bikes", (t) => {
    t.smallint("battery_pct").nullable();
  });
}

export async function down(knex: Knex) {
  await knex.schema.alterTable("bikes", (t) => {
    t.dropColumn("battery_pct");
  });
}
