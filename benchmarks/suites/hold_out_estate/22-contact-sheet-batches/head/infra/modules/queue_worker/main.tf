variable "name" {}
variable "memory_mb" {}
variable "timeout_s" {}
variable "visibility_s" {}
variable "batch_size" {}
variable "batch_window_s" {}

resource "aws_sqs_queue" "this" {
  name                       = var.name
  visibility_timeout_seconds = var.visibility_s
}

resource "aws_lambda_function" "this" {
  function_name = var.name
  runtime       = "python3.12"
  handler       = "sheets.handler"
  filename      = "build/sheets.zip"
  role          = "arn:aws:iam::290044718835:role/contact-sheets"
  memory_size   = var.memory_mb
  timeout       = var.timeout_s
}

resource "aws_lambda_event_source_mapping" "this" {
  event_source_arn                   = aws_sqs_queue.this.arn
  function_name                      = aws_lambda_function.this.arn
  batch_size                         = var.batch_size
  maximum_batching_window_in_seconds = var.batch_window_s
  function_response_types            = ["ReportBatchItemFailures"]
}
