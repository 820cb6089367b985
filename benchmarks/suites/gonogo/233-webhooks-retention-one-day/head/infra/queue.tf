resource "aws_sqs_queue" "webhooks" {
  name                       = "webhooks"
  visibility_timeout_seconds = 180
  message_retention_seconds  = 86400
  receive_wait_time_seconds  = 20
}
