resource "aws_sqs_queue" "charges" {
  name                       = "charges"
  visibility_timeout_seconds = 120
  redrive_policy = jsonencode({
    deadLetterTargetArn = aws_sqs_queue.charges_dead.arn
    maxReceiveCount     = 1
  })
}

resource "aws_sqs_queue" "charges_dead" {
  name                      = "charges-dead"
  message_retention_seconds = 1209600
}
