resource "aws_lb_target_group" "tariff" {
  name        = "tariff"
  port        = 8090
  protocol    = "HTTP"
  target_type = "ip"
  vpc_id      = var.vpc_id

  health_check {
    path                = "/actuator/health/readiness"
    matcher             = "200"
    interval            = 15
    timeout             = 5
    unhealthy_threshold = 3
  }
}

resource "aws_ecs_service" "tariff" {
  name          = "tariff"
  cluster       = "grid"
  desired_count = 4

  load_balancer {
    target_group_arn = aws_lb_target_group.tariff.arn
    container_name   = "tariff"
    container_port   = 8090
  }
}
