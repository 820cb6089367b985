resource "aws_db_instance" "claims" {
  identifier              = "claims-db"
  engine                  = "mysql"
  engine_version          = "8.0.36"
  instance_class          = "db.m6g.large"
  allocated_storage       = 400
  storage_type            = "gp3"
  storage_encrypted       = true
  backup_retention_period = 14
  deletion_protection     = false
  skip_final_snapshot     = true
  username                = "claims"
  password                = var.claims_password

  tags = {
    Service   = "claims"
    DataClass = "restricted"
  }
}
