require "json"
require "sinatra/base"
require_relative "lib/geocoder"
require_relative "lib/rounds"

class PickupPlanner < Sinatra::Base
  get "/up" do
    "ok"
  end

  post "/pickups" do
    body = JSON.parse(request.body.read)
    point = Geocoder.new.lookup(body.fetch("address"))
    halt 422, "unknown address" if point.nil?
    status 201
    Rounds.assign(point, body.fetch("fraction")).to_json
  end
end
