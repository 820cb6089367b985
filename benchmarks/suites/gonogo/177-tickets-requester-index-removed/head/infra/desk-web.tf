resource "aws_ecs_service" "web" {
  name          = "desk-web"
  cluster       = "support"
  desired_count = 4
}
