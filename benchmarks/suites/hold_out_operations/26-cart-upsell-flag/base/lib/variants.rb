module Variants
  NAMES = %w[control upsell_a upsell_b].freeze
end
