Rails.application.routes.draw do
  resources :check_ins, only: :create
  namespace :admin do
    resources :plans, only: :index
  end
end
