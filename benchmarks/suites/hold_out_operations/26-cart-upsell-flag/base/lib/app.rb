require "sinatra/base"
require_relative "flags"
require_relative "suggestions"
require_relative "cart"

class CartApp < Sinatra::Base
  get "/cart/:id" do
    cart = Cart.find(params[:id])
    cart[:suggestions] = Suggestions.for(cart) if Flags.on?(:upsell_suggestions)
    cart.to_json
  end
end
