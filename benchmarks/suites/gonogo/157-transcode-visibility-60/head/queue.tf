resource "aws_sqs_queue" "jobs" {
  name                       = "transcode-jobs"
  visibility_timeout_seconds = 60
  message_retention_seconds  = 345600
}
