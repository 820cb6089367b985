resource "aws_s3_bucket_notification" "uploads" {
  bucket = "snapfold-uploads"

  lambda_function {
    lambda_function_arn = aws_lambda_function.thumbs.arn
    events              = ["s3:ObjectCreated:*"]
  }
}
