resource "aws_db_instance" "rides" {
  identifier        = "rides-db"
  engine            = "postgres"
  engine_version    = "16.3"
  instance_class    = "db.r6g.large"
  allocated_storage = 200
}

resource "aws_ecs_service" "rides_api" {
  name          = "rides-api"
  cluster       = "fleet"
  desired_count = 4
}
