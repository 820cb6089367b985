locals {
  name = "scores"
  tags = { service = "scores", owner = "library" }
}

module "network" {
  source = "./network"
}

resource "aws_db_instance" "scores" {
  identifier             = "${local.name}-db"
  engine                 = "mariadb"
  engine_version         = "10.11"
  instance_class         = "db.t4g.large"
  allocated_storage      = 80
  storage_encrypted      = true
  username               = "scores"
  password               = var.db_password
  vpc_security_group_ids = [module.network.db_sg]
  skip_final_snapshot    = true
  tags                   = local.tags
}
