output "claims_endpoint" {
  value = aws_db_instance.claims.endpoint
}
