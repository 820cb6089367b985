class Ticket < ApplicationRecord
  belongs_to :user

  def cancel!
    update!(cancelled_at: Time.current)
  end
end
