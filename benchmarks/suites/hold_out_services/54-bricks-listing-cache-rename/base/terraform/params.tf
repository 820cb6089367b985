resource "aws_ssm_parameter" "cache_host" {
  name  = "/listings/redis-host"
  type  = "String"
  value = aws_elasticache_replication_group.listings.primary_endpoint_address
}
