resource "aws_sqs_queue" "dead" {
  for_each                  = toset(var.lanes)
  name                      = "locker-${each.key}-dead"
  message_retention_seconds = 1209600
}

resource "aws_sqs_queue" "lane" {
  for_each                   = toset(var.lanes)
  name                       = "locker-${each.key}"
  visibility_timeout_seconds = 120
  message_retention_seconds  = 345600
  redrive_policy = jsonencode({
    deadLetterTargetArn = aws_sqs_queue.dead[each.key].arn
    maxReceiveCount     = 5
  })
}
