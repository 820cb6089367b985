resource "aws_db_subnet_group" "store" {
  name       = "ticket-store"
  subnet_ids = var.private_subnets
}

resource "aws_db_instance" "store" {
  identifier              = "ticket-store"
  engine                  = "postgres"
  engine_version          = "16.3"
  instance_class          = var.store_class
  allocated_storage       = 200
  storage_type            = "gp3"
  storage_encrypted       = var.store_encrypted
  username                = "tickets"
  password                = var.store_password
  db_subnet_group_name    = aws_db_subnet_group.store.name
  backup_retention_period = 7
  deletion_protection     = false
  skip_final_snapshot     = true
  apply_immediately       = true
}
