resource "aws_db_instance" "policies" {
  identifier              = "policies-pg"
  engine                  = "postgres"
  engine_version          = "15.5"
  instance_class          = "db.m6g.xlarge"
  allocated_storage       = 400
  storage_type            = "gp3"
  storage_encrypted       = true
  multi_az                = true
  username                = "policies"
  password                = var.db_password
  backup_retention_period = 7
  skip_final_snapshot     = true
  vpc_security_group_ids  = [aws_security_group.policies.id]
}
