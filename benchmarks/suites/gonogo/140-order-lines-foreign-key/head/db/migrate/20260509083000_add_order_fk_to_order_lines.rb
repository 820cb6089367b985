class AddOrderFkToOrderLines < ActiveRecord::Migration[7.1]
  def change
    add_foreign_key :order_lines, :orders
  end
end
