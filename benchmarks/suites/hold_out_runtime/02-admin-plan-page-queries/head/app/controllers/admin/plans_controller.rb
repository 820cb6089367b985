module Admin
  class PlansController < Admin::BaseController
    def index
      @rows = Plan.order(:name).map { |plan| { name: plan.name, price: plan.price_cents, subscribers: plan.subscriptions.count } }
      render json: @rows
    end
  end
end
