Rails.application.routes.draw do
  resources :coupons, only: [:create]
end
