class Player < ApplicationRecord
  validates :legacy_score, numericality: true, allow_nil: true
  validates :handle, presence: true
end
