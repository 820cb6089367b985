resource "aws_ecs_service" "places" {
  name          = "places"
  cluster       = "shop"
  desired_count = 4
}
