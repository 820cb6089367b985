class Seat < ApplicationRecord
  belongs_to :plan, optional: true
end
