class RefundGateway
  def initialize
    @http = Faraday.new(url: ENV.fetch("REFUND_GATEWAY_URL"), request: { timeout: 20 })
  end

  def pay_out(refund)
    @http.post("/v1/payouts", { ref: refund.id, cents: refund.cents }.to_json, "Content-Type" => "application/json")
  end
end
