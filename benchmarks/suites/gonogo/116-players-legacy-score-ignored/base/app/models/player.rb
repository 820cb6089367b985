class Player < ApplicationRecord
  self.ignored_columns += ["legacy_score"]
  validates :handle, presence: true
end
