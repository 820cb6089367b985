class CreatePayouts < ActiveRecord::Migration[7.1]
  def change
    create_table :payouts do |t|
      t.references :seller, null: false
      t.string :external_ref, null: false
      t.integer :cents, null: false
      t.integer :state, null: false, default: 0
      t.date :due_on, null: false
    end
  end
end
