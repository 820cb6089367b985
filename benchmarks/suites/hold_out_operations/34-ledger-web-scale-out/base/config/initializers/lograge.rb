Rails.application.configure do
  config.lograge.enabled = true
end
