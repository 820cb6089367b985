class CancellationsController < ApplicationController
  before_action { @ticket = current_user.tickets.find(params[:ticket_id]) }

  def new
  end

  def create
    @ticket.cancel!
    redirect_to tickets_path
  end
end
