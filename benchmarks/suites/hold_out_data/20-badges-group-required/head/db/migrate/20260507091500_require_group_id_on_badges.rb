class RequireGroupIdOnBadges < ActiveRecord::Migration[7.1]
  def change
    change_column_null :badges, :group_id, false
  end
end
