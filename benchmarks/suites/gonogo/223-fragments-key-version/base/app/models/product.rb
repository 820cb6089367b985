class Product < ApplicationRecord
  has_many :prices
  has_many :reviews

  def from_price
    prices.minimum(:cents)
  end

  def stars
    reviews.average(:stars)
  end
end
