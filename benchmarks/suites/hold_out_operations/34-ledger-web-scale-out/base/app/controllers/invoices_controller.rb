class InvoicesController < ApplicationController
  def index
    render json: Invoice.for_tenant(params.require(:tenant_id)).recent
  end
end
