resource "aws_rds_cluster" "core" {
  cluster_identifier  = "core"
  engine              = "aurora-postgresql"
  engine_version      = "15.4"
  deletion_protection = true
}
