class DigestWorker
  include Sidekiq::Job

  def perform(user_id)
    mail = Digest.for(user_id)
    mail.delivery_method(:smtp, address: ENV.fetch("SMTP_HOST"), port: 587)
    mail.deliver!
  end
end
