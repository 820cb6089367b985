resource "aws_lb_listener" "terminals" {
  load_balancer_arn = aws_lb.terminals.arn
  port              = 443
  protocol          = "HTTPS"
  ssl_policy        = "ELBSecurityPolicy-TLS13-1-3-2021-06"
  certificate_arn   = var.certificate

  default_action {
    type             = "forward"
    target_group_arn = var.target_group
  }
}
