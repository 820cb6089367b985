resource "aws_ecs_service" "web" {
  name          = "desk-emea-web"
  cluster       = "support"
  desired_count = 4
}
