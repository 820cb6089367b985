require "mail"

module Smtp
  def self.settings
    { address: ENV.fetch("SMTP_HOST"), port: 587 }
  end
end
