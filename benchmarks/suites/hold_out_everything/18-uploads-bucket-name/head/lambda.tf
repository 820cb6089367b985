resource "aws_lambda_function" "attach" {
  function_name = "editor-attach"
  role          = var.role_arn
  handler       = "attach.handler"
  runtime       = "nodejs20.x"
  filename      = "attach.zip"

  environment {
    variables = {
      UPLOADS_BUCKET = aws_s3_bucket.uploads.bucket
    }
  }
}
