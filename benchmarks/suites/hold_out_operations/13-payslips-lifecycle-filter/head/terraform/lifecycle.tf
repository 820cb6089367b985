resource "aws_s3_bucket_lifecycle_configuration" "payslips" {
  bucket = aws_s3_bucket.payslips.id

  rule {
    id     = "expire-temporary"
    status = "Enabled"

    filter {}

    expiration {
      days = 30
    }

    abort_incomplete_multipart_upload {
      days_after_initiation = 3
    }
  }
}
