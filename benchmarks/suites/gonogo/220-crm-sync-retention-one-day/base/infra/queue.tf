resource "aws_sqs_queue" "crm_sync" {
  name                       = "crm-sync"
  visibility_timeout_seconds = 180
  message_retention_seconds  = 1209600
  receive_wait_time_seconds  = 20
}
