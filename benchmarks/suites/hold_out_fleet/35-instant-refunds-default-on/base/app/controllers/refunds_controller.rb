class RefundsController < ApplicationController
  def create
    refund = current_shop.refunds.create!(params.require(:refund).permit(:order_id, :cents))
    if Features.on?(:instant_refunds, current_shop)
      RefundGateway.new.pay_out(refund)
    else
      RefundJob.perform_later(refund)
    end
    render json: refund, status: :created
  end
end
