require "yaml"

class Flags
  DEFAULTS = YAML.load_file("config/flags.yml").freeze

  def self.on?(name)
    DEFAULTS.fetch(name.to_s)
  end
end
