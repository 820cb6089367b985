require_relative "app/server"
run Server
