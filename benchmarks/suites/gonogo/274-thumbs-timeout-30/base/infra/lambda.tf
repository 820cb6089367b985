resource "aws_lambda_function" "thumbs" {
  function_name = "thumbs"
  role          = aws_iam_role.thumbs.arn
  handler       = "index.handler"
  runtime       = "nodejs20.x"
  filename      = "build/thumbs.zip"
  memory_size   = 1536
  timeout       = 120
}
