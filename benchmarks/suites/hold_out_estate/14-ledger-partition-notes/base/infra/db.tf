resource "aws_db_instance" "ledger" {
  identifier              = "ledger-pg"
  engine                  = "postgres"
  instance_class          = "db.r6g.xlarge"
  backup_retention_period = 35
  deletion_protection     = true
}
