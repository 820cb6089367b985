Rails.application.routes.draw do
  resources :audits, only: :index
end
