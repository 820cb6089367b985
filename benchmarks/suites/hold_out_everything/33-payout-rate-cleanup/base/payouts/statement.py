STATEMENT_SQL = """
SELECT p.id, p.amount, p.currency,
       COALESCE(s.fx_rate, 1) AS rate
  FROM payouts p
  JOIN settlements s ON s.payout_id = p.id
 WHERE p.merchant_id = :m
 ORDER BY p.id DESC
 LIMIT 100
"""
