resource "aws_sns_topic_subscription" "eta" {
  topic_arn            = aws_sns_topic.scans.arn
  protocol             = "sqs"
  endpoint             = aws_sqs_queue.eta.arn
  raw_message_delivery = true
}

resource "aws_sns_topic_subscription" "claims" {
  topic_arn = aws_sns_topic.claims.arn
  protocol  = "sqs"
  endpoint  = aws_sqs_queue.claims.arn
}
