resource "aws_ecs_service" "identity" {
  name          = "identity"
  cluster       = "core"
  desired_count = 5
}
