resource "aws_lb" "terminals" {
  name               = "terminals"
  load_balancer_type = "application"
  subnets            = var.subnets
}
