require "sinatra"
require_relative "app/variety_cards"

CARDS = VarietyCards.new

get "/cards/:code" do
  CARDS.card(params[:code]) || halt(404)
end

run Sinatra::Application
