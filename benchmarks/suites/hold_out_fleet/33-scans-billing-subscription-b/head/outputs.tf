output "scans_topic_arn" {
  value = aws_sns_topic.scans.arn
}
