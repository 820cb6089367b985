require "redis"
require "pg"

class VarietyCards
  LIFE = 7 * 24 * 60 * 60

  def initialize(redis: Redis.new(url: ENV.fetch("REDIS_URL")), db: PG.connect(ENV.fetch("DATABASE_URL")))
    @redis = redis
    @db = db
  end

  def card(code)
    key = "card:#{code}"
    found = @redis.get(key)
    return found if found

    row = @db.exec_params("SELECT card FROM varieties WHERE code = $1", [code]).first
    return unless row

    @redis.set(key, row["card"], ex: LIFE)
    row["card"]
  end
end
