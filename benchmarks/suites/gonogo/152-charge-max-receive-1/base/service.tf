resource "aws_ecs_service" "charger" {
  name          = "charger"
  cluster       = "money"
  desired_count = 3
}
