class SettlementJob
  include Sidekiq::Job
  sidekiq_options retry: 2

  def perform
    day = Date.yesterday
    rows = Charge.settlement_totals(day)
    rows.each { |r| Payout.create!(merchant_id: r["merchant_id"], cents: r["cents"], day: day) }
  end
end
