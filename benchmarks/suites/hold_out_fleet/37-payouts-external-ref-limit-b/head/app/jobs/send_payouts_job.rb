class SendPayoutsJob < ApplicationJob
  queue_as :payouts

  def perform
    Payout.due.find_each do |payout|
      BankFile.append(ref: payout.external_ref, cents: payout.cents)
      payout.sent!
    end
  end
end
