resource "aws_s3_bucket_lifecycle_configuration" "payslips" {
  bucket = aws_s3_bucket.payslips.id

  rule {
    id     = "expire-temporary"
    status = "Enabled"

    filter {
      prefix = "tmp/"
    }

    expiration {
      days = 30
    }
  }
}
