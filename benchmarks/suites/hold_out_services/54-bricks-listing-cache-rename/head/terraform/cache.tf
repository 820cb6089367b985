resource "aws_elasticache_replication_group" "listings" {
  replication_group_id       = "prod-listings-redis"
  description                = "listing details"
  engine                     = "redis"
  node_type                  = "cache.r7g.large"
  num_cache_clusters         = 2
  automatic_failover_enabled = true
  apply_immediately          = true
}
