class PracticesController < ApplicationController
  def show
    render json: Practice.find(params[:id]).slice(:id, :name, :phone, :postcode)
  end
end
