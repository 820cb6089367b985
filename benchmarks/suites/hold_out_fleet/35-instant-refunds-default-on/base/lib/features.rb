class Features
  CONFIG = YAML.load_file(Rails.root.join("config/features.yml")).freeze

  def self.on?(name, shop)
    override = shop.feature_overrides[name.to_s]
    override.nil? ? CONFIG.fetch(name.to_s).fetch("default") : override
  end
end
