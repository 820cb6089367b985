# Flags are rows of the remote flag service; the default holds when it has none.
module Flags
  DEFAULTS = {
    instant_credit_check: false,
    new_receipt_mail: true,
  }.freeze

  def self.on?(name)
    value = FlagService.lookup(name)
    value.nil? ? DEFAULTS.fetch(name) : value
  end
end
