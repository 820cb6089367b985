resource "aws_sqs_queue" "quotes" {
  name                      = "quotes"
  message_retention_seconds = 345600

  tags = {
    team = "quotes"
  }
}
