resource "aws_db_parameter_group" "orders" {
  name   = "orders-pg15"
  family = "postgres15"

  parameter {
    name  = "log_min_duration_statement"
    value = "500"
  }
}
