class TillSyncAll
  include Sidekiq::Job
  sidekiq_options queue: "tills"

  def perform
    Till.active.pluck(:id).each do |id|
      TillSync.perform_async(id)
    end
  end
end
