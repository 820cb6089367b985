require "csv"
require_relative "uploader"

class StatementExport
  def initialize(account_id, month)
    @account_id = account_id
    @month = month
  end

  def run
    rows = Ledger.entries(@account_id, @month)
    Uploader.put("statements/#{@account_id}/#{@month}.csv", to_csv(rows))
    Mailer.statement_ready(@account_id, @month)
  end

  private

  def to_csv(rows)
    CSV.generate { |csv| rows.each { |row| csv << row } }
  end
end
