require "bunny"

module Broker
  def self.channel
    @conn ||= Bunny.new(ENV.fetch("BROKER_DSN"), tls_ca_certificates: [ENV.fetch("BROKER_CA", "/etc/broker/ca.crt")]).start
    Thread.current[:broker_channel] ||= @conn.create_channel
  end
end
