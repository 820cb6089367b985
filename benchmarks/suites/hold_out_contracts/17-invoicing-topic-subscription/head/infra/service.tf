resource "aws_ecs_service" "worker" {
  name          = "invoicing-worker"
  cluster       = "finance"
  desired_count = 2
}
