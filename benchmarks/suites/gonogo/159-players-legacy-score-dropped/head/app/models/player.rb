class Player < ApplicationRecord
  validates :handle, presence: true
end
