require "sinatra"

get "/refunds/:id" do
  "refund"
end
