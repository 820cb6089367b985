class CouponsController < ApplicationController
  def create
    coupon = Coupon.create!(shop_id: params.require(:shop_id), code: params.require(:code).upcase)
    render json: coupon, status: :created
  end
end
