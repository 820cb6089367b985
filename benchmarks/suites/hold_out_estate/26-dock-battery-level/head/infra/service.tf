resource "aws_ecs_service" "docks_api" {
  name                               = "docks-api"
  cluster                            = "city"
  desired_count                      = 8
  deployment_minimum_healthy_percent = 100
  deployment_maximum_percent         = 125
}
