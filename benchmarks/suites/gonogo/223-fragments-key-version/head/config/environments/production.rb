Rails.application.configure do
  config.cache_store = :redis_cache_store, { url: ENV.fetch("CACHE_URL") }
end
