resource "aws_ecs_service" "orders" {
  name          = "orders"
  cluster       = "shop"
  desired_count = 4
}
