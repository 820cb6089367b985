class CreatePlayers < ActiveRecord::Migration[7.1]
  def change
    create_table :players do |t|
      t.string :handle, null: false
      t.integer :rating, null: false
      t.integer :legacy_score, default: 0
      t.timestamps
    end
  end
end
