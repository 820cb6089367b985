resource "aws_lambda_function" "geocode" {
  function_name = "geocode"
  role          = var.role_arn
  handler       = "geocode.handler"
  runtime       = "python3.12"
  filename      = "geocode.zip"
  timeout       = 120
  memory_size   = 512
}

resource "aws_sqs_queue" "addresses" {
  name                       = "addresses"
  visibility_timeout_seconds = 750
}

resource "aws_lambda_event_source_mapping" "addresses" {
  event_source_arn        = aws_sqs_queue.addresses.arn
  function_name           = aws_lambda_function.geocode.arn
  batch_size              = 10
  function_response_types = ["ReportBatchItemFailures"]
}
