resource "aws_lb" "terminals" {
  name               = "terminals"
  load_balancer_type = "application"
  subnets            = var.subnets

  access_logs {
    bucket  = "kassaflow-lb-logs"
    prefix  = "terminals"
    enabled = true
  }
}
