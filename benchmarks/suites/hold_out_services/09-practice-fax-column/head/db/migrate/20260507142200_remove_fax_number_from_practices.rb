class RemoveFaxNumberFromPractices < ActiveRecord::Migration[7.1]
  def change
    remove_column :practices, :fax_number, :string
  end
end
