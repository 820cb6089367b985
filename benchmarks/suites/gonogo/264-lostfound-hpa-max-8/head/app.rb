require "sinatra"
require "json"

get "/items" do
  content_type :json
  Item.recent.to_json
end
