class Coupon < ApplicationRecord
  belongs_to :shop
  validates :code, uniqueness: {scope: :shop_id}
end
