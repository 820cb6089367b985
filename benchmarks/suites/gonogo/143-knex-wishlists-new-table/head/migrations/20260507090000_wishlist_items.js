exports.up = async (knex) => {
  await knex.schema.createTable("wishlist_items", (t) => {
    t.bigIncrements("id");
    t.bigInteger("customer_id");
    t.bigInteger("product_id").notNullable();
    t.timestamp("added_at").notNullable().defaultTo(knex.fn.now());
  });
  await knex.raw("CREATE INDEX wishlist_items_customer_idx ON wishlist_items (customer_id)");
  await knex.raw("CREATE UNIQUE INDEX wishlist_items_once_idx ON wishlist_items (customer_id, product_id)");
  await knex.raw("ALTER TABLE wishlist_items ALTER COLUMN customer_id SET NOT NULL");
};

exports.down = (knex) => knex.schema.dropTable("wishlist_items");
