resource "aws_sns_topic_subscription" "price_audit" {
  topic_arn = aws_sns_topic.legacy_price_changed.arn
  protocol  = "lambda"
  endpoint  = "arn:aws:lambda:eu-west-2:730046118259:function:price-audit"
}

resource "aws_sns_topic_subscription" "price_cache" {
  topic_arn = aws_sns_topic.legacy_price_changed.arn
  protocol  = "sqs"
  endpoint  = aws_sqs_queue.price_cache.arn
}
