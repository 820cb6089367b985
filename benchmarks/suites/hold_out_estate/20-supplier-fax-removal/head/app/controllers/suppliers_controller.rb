class SuppliersController < ApplicationController
  def index
    render json: Supplier.active.order(:name).limit(100)
  end

  def create
    render json: Supplier.create!(params.require(:supplier).permit(:name, :vat_number, :email, :phone)), status: :created
  end
end
