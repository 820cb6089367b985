resource "aws_lambda_function" "transcode" {
  function_name = "transcode"
  handler       = "transcode.handler"
  runtime       = "python3.12"
  role          = var.role_arn
  filename      = "transcode.zip"
  memory_size   = 2048
  timeout       = 300
}

resource "aws_lambda_event_source_mapping" "transcode" {
  event_source_arn = aws_sqs_queue.jobs.arn
  function_name    = aws_lambda_function.transcode.arn
  batch_size       = 1
}
