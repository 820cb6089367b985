Rails.application.configure do
  config.eager_load = true
  config.cache_store = :file_store, "/var/cache/fragments"
end
