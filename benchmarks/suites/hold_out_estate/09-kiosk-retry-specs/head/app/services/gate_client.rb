class GateClient
  TIMEOUT = Integer(ENV.fetch("GATE_TIMEOUT_S", "8"))

  def open(ticket)
    Net::HTTP.start(ENV.fetch("GATE_HOST"), 443, use_ssl: true, read_timeout: TIMEOUT) do |http|
      http.post("/gates/#{ticket.gate}/open", ticket.to_json)
    end
  end
end
