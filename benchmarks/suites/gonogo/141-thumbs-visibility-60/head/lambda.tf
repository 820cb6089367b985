resource "aws_lambda_function" "thumbs" {
  function_name = "thumbs"
  handler       = "thumbs.handler"
  runtime       = "python3.12"
  role          = var.role_arn
  filename      = "thumbs.zip"
  memory_size   = 2048
  timeout       = 10
}

resource "aws_lambda_event_source_mapping" "thumbs" {
  event_source_arn = aws_sqs_queue.jobs.arn
  function_name    = aws_lambda_function.thumbs.arn
  batch_size       = 1
}
