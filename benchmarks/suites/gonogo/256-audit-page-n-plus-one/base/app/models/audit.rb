class Audit < ApplicationRecord
  belongs_to :actor
end
