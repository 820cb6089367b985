class TillSyncAll
  include Sidekiq::Job
  sidekiq_options queue: "tills"

  def perform
    Till.active.pluck(:id).each do |id|
      TillSync.perform_in(rand(1800), id)
    end
  end
end
