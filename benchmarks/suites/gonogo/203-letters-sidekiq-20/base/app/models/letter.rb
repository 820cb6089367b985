class Letter < ApplicationRecord
  has_one_attached :pdf
end
