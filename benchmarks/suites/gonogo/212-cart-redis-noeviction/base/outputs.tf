output "primary_endpoint" {
  value = aws_elasticache_replication_group.cart.primary_endpoint_address
}
