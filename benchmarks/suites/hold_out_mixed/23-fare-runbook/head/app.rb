require "sinatra"
require_relative "lib/fare"

get "/fare/:km" do
  Fare.total(params["km"].to_i).to_s
end
