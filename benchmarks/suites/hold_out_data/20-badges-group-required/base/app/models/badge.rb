class Badge < ApplicationRecord
  belongs_to :group
end
