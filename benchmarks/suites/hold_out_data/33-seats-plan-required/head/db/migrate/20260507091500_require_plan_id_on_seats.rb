class RequirePlanIdOnSeats < ActiveRecord::Migration[7.1]
  def change
    change_column_null :seats, :plan_id, false
  end
end
