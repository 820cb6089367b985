class OrdersController < ApplicationController
  def create
    order = Order.create!(customer_id: params.require(:customer_id))
    params.require(:lines).each { |l| order.order_lines.create!(sku: l[:sku], quantity: l[:quantity]) }
    render json: { id: order.id }, status: :created
  end
end
