resource "aws_sqs_queue" "billing" {
  name                      = "billing-intake"
  message_retention_seconds = 345600
}

resource "aws_sqs_queue" "eta" {
  name                       = "eta-intake"
  visibility_timeout_seconds = 90
}

resource "aws_sqs_queue" "claims" {
  name = "claims-intake"
}
