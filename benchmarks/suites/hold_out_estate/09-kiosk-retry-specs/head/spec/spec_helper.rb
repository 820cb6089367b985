ENV["GATE_TIMEOUT_S"] = "1"
ENV["GATE_HOST"] = "gate.test"

RSpec.configure do |config|
  config.before(:suite) { ActiveRecord::Base.connection.execute("DROP TABLE IF EXISTS gate_probes") }
end
