class PlayersController < ApplicationController
  def create
    player = Player.create!(handle: params.require(:handle), rating: 1000)
    render json: player.slice(:id, :handle, :rating), status: :created
  end

  def update
    Player.find(params[:id]).update!(params.permit(:handle, :rating))
    head :no_content
  end
end
