class RemoveLegacyScore < ActiveRecord::Migration[7.1]
  def change
    remove_column :players, :legacy_score, :integer, default: 0
  end
end
