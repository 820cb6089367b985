output "orders_endpoint" {
  value = aws_db_instance.orders.endpoint
}
