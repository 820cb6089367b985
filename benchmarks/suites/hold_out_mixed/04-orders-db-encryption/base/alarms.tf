resource "aws_cloudwatch_metric_alarm" "orders_cpu" {
  alarm_name          = "orders-pg-cpu"
  namespace           = "AWS/RDS"
  metric_name         = "CPUUtilization"
  dimensions          = { DBInstanceIdentifier = "orders-pg" }
  statistic           = "Average"
  period              = 300
  evaluation_periods  = 3
  comparison_operator = "GreaterThanThreshold"
  threshold           = 80
}
