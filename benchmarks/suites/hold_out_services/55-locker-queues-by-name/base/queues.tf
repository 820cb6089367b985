resource "aws_sqs_queue" "dead" {
  count                     = length(var.lanes)
  name                      = "locker-${var.lanes[count.index]}-dead"
  message_retention_seconds = 1209600
}

resource "aws_sqs_queue" "lane" {
  count                      = length(var.lanes)
  name                       = "locker-${var.lanes[count.index]}"
  visibility_timeout_seconds = 120
  message_retention_seconds  = 345600
  redrive_policy = jsonencode({
    deadLetterTargetArn = aws_sqs_queue.dead[count.index].arn
    maxReceiveCount     = 5
  })
}
