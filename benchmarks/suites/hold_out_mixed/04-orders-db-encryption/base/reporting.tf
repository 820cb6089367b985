resource "aws_db_instance" "reporting" {
  identifier          = "reporting-pg"
  engine              = "postgres"
  engine_version      = "15.5"
  instance_class      = "db.m6g.large"
  allocated_storage   = 200
  username            = "reporting"
  password            = var.reporting_password
  storage_encrypted   = true
  skip_final_snapshot = true
}
