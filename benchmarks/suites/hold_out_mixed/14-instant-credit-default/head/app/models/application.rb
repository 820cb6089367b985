class Application < ActiveRecord::Base
  # cents
  validates :amount, numericality: { greater_than: 0 }
end
