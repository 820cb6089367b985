class CreateCouponsPercent < ActiveRecord::Migration[7.1]
  def change
    add_column :coupons, :percent, :integer
  end
end
