require "sinatra"
require_relative "archive"

get "/statements" do
  content_type :json
  Archive.months(env["account"]).to_json
end

get "/statements/:month" do
  redirect Archive.url(env["account"], params[:month])
end
