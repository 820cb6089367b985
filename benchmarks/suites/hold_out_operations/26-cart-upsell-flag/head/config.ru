require_relative "lib/app"
run CartApp
