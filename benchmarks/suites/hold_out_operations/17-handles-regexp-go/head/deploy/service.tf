resource "aws_ecs_service" "profiles" {
  name          = "profiles"
  cluster       = "social"
  desired_count = 6
}
