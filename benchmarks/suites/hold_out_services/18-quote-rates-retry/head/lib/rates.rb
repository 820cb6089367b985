require "faraday"
require "faraday/retry"

module Rates
  RETRY = {
    max: 7,
    interval: 0,
    methods: %i[get post],
    retry_statuses: [429, 503]
  }.freeze

  def self.connection
    @connection ||= Faraday.new(url: ENV.fetch("RATES_URL")) do |f|
      f.request :json
      f.request :retry, RETRY
      f.response :json
    end
  end

  def self.premium(policy)
    res = connection.post("/premium", policy)
    res.success? ? res.body["premium"] : nil
  end
end
