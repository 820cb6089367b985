resource "aws_sqs_queue" "scans" {
  name                       = "scans"
  visibility_timeout_seconds = 720
}

resource "aws_lambda_function" "ocr" {
  function_name = "invoice-ocr"
  handler       = "ocr.handler"
  runtime       = "python3.12"
  role          = var.role_arn
  filename      = "ocr.zip"
  timeout       = 120
}

resource "aws_lambda_event_source_mapping" "scans" {
  event_source_arn = aws_sqs_queue.scans.arn
  function_name    = aws_lambda_function.ocr.arn
  batch_size       = 10
}
