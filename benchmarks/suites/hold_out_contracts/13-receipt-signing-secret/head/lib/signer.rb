require "openssl"

module Signer
  KEY = ENV.fetch("RECEIPTS_SIGNING_KEY")

  def self.sign(payload)
    OpenSSL::HMAC.hexdigest("SHA256", KEY, payload)
  end
end
