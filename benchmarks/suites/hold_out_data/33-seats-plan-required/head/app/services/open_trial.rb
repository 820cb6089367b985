class OpenTrial
  def self.call(account)
    Seat.create!(account_id: account.id, trial: true)
  end
end
