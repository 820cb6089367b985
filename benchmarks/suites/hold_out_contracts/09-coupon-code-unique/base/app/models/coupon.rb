class Coupon < ApplicationRecord
  belongs_to :shop
end
