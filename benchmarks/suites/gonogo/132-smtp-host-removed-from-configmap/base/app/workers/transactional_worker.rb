class TransactionalWorker
  include Sidekiq::Job

  def perform(message)
    MailApi.deliver(message)
  end
end
