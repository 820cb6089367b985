class Supplier < ApplicationRecord
  self.ignored_columns += %w[fax_number]

  has_many :orders
  validates :name, :vat_number, presence: true

  scope :active, -> { where(archived_at: nil) }
end
