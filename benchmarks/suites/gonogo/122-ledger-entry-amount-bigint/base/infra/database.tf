resource "aws_db_instance" "ledger" {
  identifier     = "ledger-pg"
  engine         = "postgres"
  engine_version = "16.2"
  instance_class = "db.r6g.4xlarge"
}
