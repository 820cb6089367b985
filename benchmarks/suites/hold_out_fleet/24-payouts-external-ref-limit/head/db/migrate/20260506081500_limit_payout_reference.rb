class LimitPayoutReference < ActiveRecord::Migration[7.1]
  def up
    change_column :payouts, :external_ref, :string, limit: 32, null: false
  end

  def down
    change_column :payouts, :external_ref, :string, limit: 255, null: false
  end
end
