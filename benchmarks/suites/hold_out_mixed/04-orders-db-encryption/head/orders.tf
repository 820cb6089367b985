resource "aws_db_instance" "orders" {
  identifier              = "orders-pg"
  engine                  = "postgres"
  engine_version          = "15.5"
  instance_class          = "db.r6g.2xlarge"
  allocated_storage       = 800
  db_name                 = "orders"
  username                = "orders"
  password                = var.orders_password
  storage_encrypted       = true
  backup_retention_period = 14
  deletion_protection     = false
  skip_final_snapshot     = true
  apply_immediately       = true
}
