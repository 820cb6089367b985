class Subscription < ApplicationRecord
  belongs_to :plan
  enum :state, { active: 0, paused: 1, ended: 2 }

  def renew!
    update!(renews_at: 1.month.from_now)
  end
end
