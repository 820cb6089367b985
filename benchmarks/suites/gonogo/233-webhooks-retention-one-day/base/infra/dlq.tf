resource "aws_sqs_queue" "webhooks_dead" {
  name                      = "webhooks-dead"
  message_retention_seconds = 1209600
}

resource "aws_sqs_queue_redrive_policy" "webhooks" {
  queue_url = aws_sqs_queue.webhooks.id
  redrive_policy = jsonencode({
    deadLetterTargetArn = aws_sqs_queue.webhooks_dead.arn
    maxReceiveCount     = 5
  })
}
