output "riders_host" {
  value = aws_db_instance.riders.address
}
