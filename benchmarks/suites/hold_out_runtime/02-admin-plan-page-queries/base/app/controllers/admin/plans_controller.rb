module Admin
  class PlansController < Admin::BaseController
    def index
      @rows = Plan.order(:name).map { |plan| { name: plan.name, price: plan.price_cents } }
      render json: @rows
    end
  end
end
