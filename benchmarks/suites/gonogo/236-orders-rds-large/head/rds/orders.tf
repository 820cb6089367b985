resource "aws_db_instance" "orders" {
  identifier                  = "orders-pg"
  engine                      = "postgres"
  engine_version              = "15.5"
  instance_class              = "db.r6g.large"
  allocated_storage           = 500
  storage_type                = "gp3"
  multi_az                    = true
  apply_immediately           = true
  backup_retention_period     = 14
  deletion_protection         = true
  parameter_group_name        = aws_db_parameter_group.orders.name
  manage_master_user_password = true
  username                    = "orders"
}
