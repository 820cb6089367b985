resource "aws_db_instance" "orders" {
  identifier          = "orders-staging"
  engine              = "postgres"
  engine_version      = "15.5"
  instance_class      = "db.t4g.medium"
  allocated_storage   = 100
  db_name             = "orders"
  storage_encrypted   = true
  username            = "orders"
  password            = var.db_password
  skip_final_snapshot = true
}

variable "db_password" {
  type      = string
  sensitive = true
}
