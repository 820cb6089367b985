require "faraday"

module Sms
  URL = "https://old-gateway.example/send"

  def self.send_text(to, text)
    Faraday.post(URL, { to: to, text: text }.to_json)
  end
end
