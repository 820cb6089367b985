resource "aws_sns_topic_subscription" "stock_audit" {
  topic_arn = aws_sns_topic.stock_changed.arn
  protocol  = "lambda"
  endpoint  = "arn:aws:lambda:eu-west-2:730046118259:function:stock-audit"
}

resource "aws_sns_topic_subscription" "search_feed" {
  topic_arn = aws_sns_topic.stock_changed.arn
  protocol  = "sqs"
  endpoint  = aws_sqs_queue.search_feed.arn
}
