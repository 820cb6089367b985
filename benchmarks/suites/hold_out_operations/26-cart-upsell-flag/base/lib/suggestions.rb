require "faraday"
require "json"

module Suggestions
  def self.for(cart)
    JSON.parse(Faraday.post("#{ENV.fetch('UPSELL_URL')}/v1/suggest", cart.to_json).body)
  end
end
