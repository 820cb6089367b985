export const up = (knex) => knex.schema.alterTable("guests", (t) => t.string("tier", 12));
export const down = (knex) => knex.schema.alterTable("guests", (t) => t.dropColumn("tier"));
