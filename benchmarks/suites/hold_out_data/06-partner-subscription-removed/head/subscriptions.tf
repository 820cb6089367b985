resource "aws_sns_topic_subscription" "search" {
  topic_arn = aws_sns_topic.stock.arn
  protocol  = "sqs"
  endpoint  = "arn:aws:sqs:eu-west-1:303132333435:search-stock"
}
