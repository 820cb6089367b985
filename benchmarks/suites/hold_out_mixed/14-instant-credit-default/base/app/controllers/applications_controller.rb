class ApplicationsController < ActionController::API
  def create
    application = Application.create!(params.permit(:name, :amount))
    application.update!(score: CreditBureau.score(application)) if Flags.on?(:instant_credit_check)
    render json: application, status: :created
  end

  def show
    render json: Application.find(params[:id])
  end
end
