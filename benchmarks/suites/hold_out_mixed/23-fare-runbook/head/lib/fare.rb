module Fare
  BASE = 240

  def self.total(km)
    BASE + (km * 85)
  end
end
