resource "aws_elasticache_parameter_group" "cart" {
  name   = "cart-redis7"
  family = "redis7"

  parameter {
    name  = "maxmemory-policy"
    value = "allkeys-lru"
  }

  parameter {
    name  = "timeout"
    value = "300"
  }
}

resource "aws_elasticache_replication_group" "cart" {
  replication_group_id = "cart-cache"
  description          = "carts and price fragments"
  engine               = "redis"
  node_type            = "cache.m6g.large"
  num_cache_clusters   = 2
  parameter_group_name = aws_elasticache_parameter_group.cart.name
}
