require "faraday"

module MailApi
  def self.deliver(message)
    Faraday.post(ENV.fetch("MAIL_API_URL"), message.to_json)
  end
end
