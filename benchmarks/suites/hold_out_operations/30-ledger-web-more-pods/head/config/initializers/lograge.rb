Rails.application.configure do
  config.lograge.enabled = true
  config.lograge.custom_payload { |controller| { tenant_id: controller.params[:tenant_id] } }
end
