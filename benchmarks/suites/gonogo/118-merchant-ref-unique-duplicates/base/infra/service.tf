resource "aws_ecs_service" "merchants" {
  name                               = "merchants"
  cluster                            = "core"
  desired_count                      = 3
  deployment_minimum_healthy_percent = 50
}
