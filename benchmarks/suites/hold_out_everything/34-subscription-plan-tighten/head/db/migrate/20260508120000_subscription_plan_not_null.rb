class SubscriptionPlanNotNull < ActiveRecord::Migration[7.1]
  def change
    change_column_null :subscriptions, :plan_id, false
  end
end
