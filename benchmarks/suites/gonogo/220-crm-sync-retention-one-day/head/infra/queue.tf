resource "aws_sqs_queue" "crm_sync" {
  name                       = "crm-sync"
  visibility_timeout_seconds = 180
  message_retention_seconds  = 86400
  receive_wait_time_seconds  = 20
}
