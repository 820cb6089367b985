resource "aws_db_instance" "orders" {
  identifier          = "orders-prod"
  engine              = "postgres"
  engine_version      = "15.5"
  instance_class      = "db.r6g.xlarge"
  allocated_storage   = 100
  db_name             = "app"
  username            = "orders"
  password            = var.db_password
  skip_final_snapshot = false
}

variable "db_password" {
  type      = string
  sensitive = true
}
