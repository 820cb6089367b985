ActiveRecord::Schema[7.1].define(version: 2026_05_08_071000) do
  create_table "suppliers", force: :cascade do |t|
    t.string "name", null: false
    t.string "vat_number", null: false
    t.string "email"
    t.string "phone"
    t.datetime "archived_at"
  end
end
