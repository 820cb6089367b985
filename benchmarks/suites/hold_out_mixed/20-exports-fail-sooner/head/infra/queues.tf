resource "aws_sqs_queue" "statement_exports" {
  name                       = "statement-exports"
  visibility_timeout_seconds = 120
  message_retention_seconds  = 345600
  redrive_policy = jsonencode({
    deadLetterTargetArn = aws_sqs_queue.statement_exports_dlq.arn
    maxReceiveCount     = 2
  })
}

resource "aws_sqs_queue" "statement_exports_dlq" {
  name                      = "statement-exports-dlq"
  message_retention_seconds = 1209600
}
