resource "aws_sqs_queue" "invoices" {
  name                       = "invoice-intake"
  visibility_timeout_seconds = 120
  tags = {
    retention = "four-days"
  }
}
