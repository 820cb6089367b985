module FlagService
  def self.lookup(name)
    row = Rails.cache.read("flag:#{name}")
    row && row["on"]
  end
end
