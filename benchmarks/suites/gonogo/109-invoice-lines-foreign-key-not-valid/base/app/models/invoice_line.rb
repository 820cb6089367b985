class InvoiceLine < ApplicationRecord
  belongs_to :invoice
end
