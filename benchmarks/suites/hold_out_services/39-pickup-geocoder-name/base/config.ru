require_relative "app"

run PickupPlanner
