resource "aws_sns_topic" "orders" {
  name = "order-events"
}

resource "aws_sns_topic_subscription" "invoices" {
  topic_arn           = aws_sns_topic.orders.arn
  protocol            = "sqs"
  endpoint            = aws_sqs_queue.invoices.arn
  filter_policy_scope = "MessageAttributes"
  filter_policy = jsonencode({
    event_type = ["order_paid", "order_refunded"]
  })
}
