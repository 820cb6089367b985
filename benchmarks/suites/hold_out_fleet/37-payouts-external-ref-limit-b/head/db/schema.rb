ActiveRecord::Schema[7.1].define(version: 2026_05_06_081500) do
  create_table "payouts", charset: "utf8mb4", force: :cascade do |t|
    t.bigint "seller_id", null: false
    t.string "external_ref", limit: 32, null: false
    t.integer "cents", null: false
    t.integer "state", default: 0, null: false
    t.date "due_on", null: false
  end
end
