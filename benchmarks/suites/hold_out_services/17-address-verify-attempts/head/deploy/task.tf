resource "aws_ecs_service" "labels" {
  name          = "label-service"
  cluster       = "ship"
  desired_count = 4
}
