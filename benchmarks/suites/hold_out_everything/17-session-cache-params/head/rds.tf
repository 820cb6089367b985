resource "aws_db_parameter_group" "core" {
  name   = "core-pg15"
  family = "postgres15"

  parameter {
    name  = "log_min_duration_statement"
    value = "500"
  }
}
