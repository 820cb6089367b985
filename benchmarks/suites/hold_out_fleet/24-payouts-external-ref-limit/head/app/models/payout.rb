class Payout < ApplicationRecord
  belongs_to :seller

  enum :state, { pending: 0, sent: 1, failed: 2 }

  before_create { self.external_ref ||= ULID.generate }

  scope :due, -> { pending.where(due_on: ..Date.current) }
end
