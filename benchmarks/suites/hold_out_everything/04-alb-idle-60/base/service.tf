resource "aws_ecs_service" "web" {
  name          = "web"
  cluster       = "fjordly"
  desired_count = 6
}
