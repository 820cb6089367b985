class RemoveFaxNumberFromSuppliers < ActiveRecord::Migration[7.1]
  def change
    remove_column :suppliers, :fax_number, :string
  end
end
