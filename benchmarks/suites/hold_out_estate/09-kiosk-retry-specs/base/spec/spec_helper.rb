ENV["GATE_TIMEOUT_S"] = "8"
ENV["GATE_HOST"] = "gate.test"

RSpec.configure do |config|
  config.before(:suite) { ActiveRecord::Base.connection.execute("CREATE TABLE IF NOT EXISTS gate_probes (id bigint)") }
end
