require "faraday"

module Sms
  URL = "https://gateway-two.example/v3/messages"
  KEY = ENV.fetch("SMS_GATEWAY_KEY")

  def self.send_text(to, text)
    Faraday.post(URL, { to: to, text: text }.to_json, "Authorization" => "Key #{KEY}")
  end
end
