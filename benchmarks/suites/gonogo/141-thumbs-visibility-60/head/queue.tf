resource "aws_sqs_queue" "jobs" {
  name                       = "thumbs-jobs"
  visibility_timeout_seconds = 60
  message_retention_seconds  = 345600
}
