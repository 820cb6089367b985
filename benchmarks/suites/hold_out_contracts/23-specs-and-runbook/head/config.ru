require_relative "app"
run Sinatra::Application
