resource "aws_sqs_queue" "orders" {
  name                       = "invoicing-order-events"
  visibility_timeout_seconds = 60
  message_retention_seconds  = 345600
}

data "aws_sns_topic" "order_events" {
  name = "order-events"
}

resource "aws_sns_topic_subscription" "orders" {
  topic_arn            = data.aws_sns_topic.order_events.arn
  protocol             = "sqs"
  endpoint             = aws_sqs_queue.orders.arn
  raw_message_delivery = true
}
