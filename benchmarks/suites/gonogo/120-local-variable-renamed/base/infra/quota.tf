resource "aws_ecs_service" "quota" {
  name          = "quota"
  cluster       = "core"
  desired_count = 3
}
