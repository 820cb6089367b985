export const up = (knex) => knex.schema.alterTable("guests", (t) => t.string("language", 8));
export const down = (knex) => knex.schema.alterTable("guests", (t) => t.dropColumn("language"));
