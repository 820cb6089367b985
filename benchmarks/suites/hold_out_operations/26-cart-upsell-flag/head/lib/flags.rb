require "json"

module Flags
  DEFAULTS = {
    express_checkout: true,
    upsell_suggestions: true,
    gift_wrap: false
  }.freeze

  def self.on?(name)
    overrides.fetch(name.to_s, DEFAULTS.fetch(name))
  end

  def self.overrides
    JSON.parse(ENV.fetch("FLAG_OVERRIDES", "{}"))
  end
end
