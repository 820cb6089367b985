class AuditsController < ApplicationController
  def index
    @audits = Audit.includes(:actor).order(id: :desc).limit(50)
    render json: @audits.map { |a| { id: a.id, what: a.what, actor: a.actor.name } }
  end
end
