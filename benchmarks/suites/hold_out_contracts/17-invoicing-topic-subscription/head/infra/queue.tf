resource "aws_sqs_queue" "orders" {
  name                       = "invoicing-order-events"
  visibility_timeout_seconds = 60
  message_retention_seconds  = 345600
}
