require "sinatra/base"
require_relative "sms"

class Server < Sinatra::Base
  post "/sms" do
    Sms.send_text(params[:to], params[:text])
    204
  end
end
