module Backoff
  def self.delay(attempt)
    0.1 * (2**attempt)
  end
end
