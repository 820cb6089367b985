Rails.application.routes.draw do
  resources :tickets, only: %i[show create]
  post "/gates/:id/open", to: "gates#open"
end
