resource "aws_ecs_service" "reporting" {
  name          = "reporting"
  cluster       = "money"
  desired_count = 0
}
