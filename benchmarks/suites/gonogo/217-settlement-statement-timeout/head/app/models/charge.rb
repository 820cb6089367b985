class Charge < ApplicationRecord
  def self.settlement_totals(day)
    connection.select_all(sanitize_sql([<<~SQL, { day: day }]))
      SELECT merchant_id, sum(cents - fee_cents) AS cents
      FROM charges JOIN charge_events USING (charge_id)
      WHERE captured_on = :day AND charge_events.kind = 'captured'
      GROUP BY merchant_id
    SQL
  end
end
