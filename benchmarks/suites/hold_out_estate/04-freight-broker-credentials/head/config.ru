require_relative "app/intake"
run Intake
