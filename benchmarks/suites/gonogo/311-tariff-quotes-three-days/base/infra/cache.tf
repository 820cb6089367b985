resource "aws_elasticache_parameter_group" "quotes" {
  name   = "tariff-quotes"
  family = "redis7"

  parameter {
    name  = "maxmemory-policy"
    value = "noeviction"
  }
}

resource "aws_elasticache_replication_group" "quotes" {
  replication_group_id = "tariff-quotes"
  description          = "quotes of tariffs"
  node_type            = "cache.t4g.medium"
  num_cache_clusters   = 2
  engine               = "redis"
  engine_version       = "7.1"
  parameter_group_name = aws_elasticache_parameter_group.quotes.name
}
