require "sinatra/base"
require_relative "broker"

class Intake < Sinatra::Base
  get("/up") { "ok" }

  post "/declarations" do
    Broker.channel.default_exchange.publish(request.body.read, routing_key: "declarations", persistent: true)
    status 202
  end
end
