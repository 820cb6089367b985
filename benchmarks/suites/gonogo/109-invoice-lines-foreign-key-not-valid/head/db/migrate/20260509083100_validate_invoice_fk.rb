class ValidateInvoiceFk < ActiveRecord::Migration[7.1]
  def change
    validate_foreign_key :invoice_lines, :invoices
  end
end
