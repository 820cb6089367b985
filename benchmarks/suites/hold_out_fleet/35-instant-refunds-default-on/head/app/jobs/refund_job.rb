class RefundJob < ApplicationJob
  queue_as :refunds

  def perform(refund)
    RefundGateway.new.pay_out(refund)
  end
end
