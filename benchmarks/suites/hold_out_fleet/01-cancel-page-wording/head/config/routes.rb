Rails.application.routes.draw do
  resources :tickets, only: [:index, :show] do
    resource :cancellation, only: [:new, :create]
  end
end
