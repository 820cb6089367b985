resource "aws_lb" "reports" {
  name               = "reports"
  load_balancer_type = "application"
  internal           = false
  subnets            = var.public_subnets
  idle_timeout       = 30
  enable_http2       = true
}

resource "aws_lb_target_group" "reports" {
  name        = "reports"
  port        = 8080
  protocol    = "HTTP"
  target_type = "ip"
  vpc_id      = var.vpc_id
}
