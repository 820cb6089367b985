class UniqueCouponCodes < ActiveRecord::Migration[7.1]
  disable_ddl_transaction!

  def change
    add_index :coupons, [:shop_id, :code], unique: true, algorithm: :concurrently
  end
end
