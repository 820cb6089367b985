class Tax
  def self.rate(country, category)
    rate = TaxClient.new.rate(country, category)
    Rails.cache.write(["tax", country, category], rate)
    rate
  rescue Faraday::Error
    Rails.cache.read(["tax", country, category]) || TaxTable.default(country)
  end
end
