resource "aws_sqs_queue" "publish" {
  name                       = "publish"
  visibility_timeout_seconds = 120

  tags = {
    CostCentre = "4820"
    Owner      = "editorial"
  }
}
