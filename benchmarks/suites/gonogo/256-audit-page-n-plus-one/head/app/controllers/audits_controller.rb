class AuditsController < ApplicationController
  def index
    @audits = Audit.order(id: :desc).limit(50)
    render json: @audits.map { |a| { id: a.id, what: a.what, actor: Actor.current(a.actor_id).name } }
  end
end
