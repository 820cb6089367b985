class TillSync
  include Sidekiq::Job
  sidekiq_options queue: "tills", retry: 3

  def perform(id)
    prices = PosGateway.fetch(id)
    Till.find(id).update!(price_hash: prices.digest)
  end
end
