require "sinatra"
require "json"
require_relative "lib/rates"

post "/quotes" do
  policy = JSON.parse(request.body.read)
  premium = Rates.premium(policy)
  halt 502, "rates unavailable" if premium.nil?
  { premium: premium }.to_json
end
