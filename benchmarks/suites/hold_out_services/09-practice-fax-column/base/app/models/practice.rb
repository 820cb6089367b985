class Practice < ApplicationRecord
  self.ignored_columns += %w[fax_number]

  has_many :appointments
  validates :name, :phone, presence: true
end
