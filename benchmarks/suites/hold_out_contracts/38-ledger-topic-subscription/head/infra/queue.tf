resource "aws_sqs_queue" "orders" {
  name                       = "ledger-order-events"
  visibility_timeout_seconds = 60
  message_retention_seconds  = 345600
}
