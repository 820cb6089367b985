resource "aws_lb" "tills" {
  name               = "tills"
  load_balancer_type = "application"
  subnets            = var.subnets
}

resource "aws_lb_target_group" "tills" {
  name        = "tills"
  port        = 8080
  protocol    = "HTTP"
  target_type = "ip"
  vpc_id      = var.vpc_id
}
