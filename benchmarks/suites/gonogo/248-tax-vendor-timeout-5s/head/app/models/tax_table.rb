class TaxTable < ApplicationRecord
  def self.default(country)
    find_by!(country: country).rate
  end
end
