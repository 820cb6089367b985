module Variants
  NAMES = %w[control upsell].freeze
end
