module Backoff
  def self.delay(attempt)
    # Without jitter on purpose, see ENV.fetch("JITTER") in the gateway.
    0.1 * (2**attempt)
  end
end
