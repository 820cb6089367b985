resource "aws_elasticache_parameter_group" "feed" {
  name   = "feed-redis7"
  family = "redis7"

  parameter {
    name  = "maxmemory-policy"
    value = "allkeys-lru"
  }
}

resource "aws_elasticache_replication_group" "feed" {
  replication_group_id = "feed-cache"
  description          = "Timeline feed cache"
  engine               = "redis"
  node_type            = "cache.r6g.large"
  num_cache_clusters   = 2
  parameter_group_name = aws_elasticache_parameter_group.feed.name
}
