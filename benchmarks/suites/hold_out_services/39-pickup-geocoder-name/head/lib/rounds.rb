require "sequel"

module Rounds
  def self.db
    @db ||= Sequel.connect(ENV.fetch("DATABASE_URL"))
  end

  def self.assign(point, fraction)
    db[:pickups].returning(:id, :round_no).insert(lat: point[0], lon: point[1], fraction: fraction).first
  end
end
