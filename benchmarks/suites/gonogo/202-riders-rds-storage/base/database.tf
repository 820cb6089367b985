resource "aws_db_instance" "riders" {
  identifier              = "riders-pg"
  engine                  = "postgres"
  engine_version          = "15.5"
  instance_class          = "db.m6g.xlarge"
  allocated_storage       = 400
  storage_type            = "gp3"
  multi_az                = true
  username                = "riders"
  password                = var.db_password
  backup_retention_period = 7
  skip_final_snapshot     = true
  vpc_security_group_ids  = [aws_security_group.riders.id]
}
