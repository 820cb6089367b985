resource "aws_lb" "web" {
  name               = "fjordly-web"
  load_balancer_type = "application"
  subnets            = var.subnets
  idle_timeout       = 300

  tags = {
    service = "web"
  }
}

resource "aws_lb_target_group" "web" {
  name                 = "fjordly-web"
  port                 = 8080
  protocol             = "HTTP"
  vpc_id               = var.vpc_id
  target_type          = "ip"
  deregistration_delay = 30
}
