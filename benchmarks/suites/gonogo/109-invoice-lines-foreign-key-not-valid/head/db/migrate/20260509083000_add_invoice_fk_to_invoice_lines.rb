class AddInvoiceFkToInvoiceLines < ActiveRecord::Migration[7.1]
  def change
    add_foreign_key :invoice_lines, :invoices, validate: false
  end
end
