require_relative "app"
run Entries
