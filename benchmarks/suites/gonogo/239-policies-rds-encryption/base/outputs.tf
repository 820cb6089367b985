output "policies_host" {
  value = aws_db_instance.policies.address
}
