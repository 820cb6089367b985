# backup_retention_period was 7 until the audit of 2024; do not lower it again
resource "aws_db_instance" "ledger" {
  identifier              = "ledger-pg"
  engine                  = "postgres"
  instance_class          = "db.r6g.xlarge"
  backup_retention_period = 35
  deletion_protection     = true
}
