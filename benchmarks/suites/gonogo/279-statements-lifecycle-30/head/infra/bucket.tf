resource "aws_s3_bucket" "statements" {
  bucket = "brightutility-statements"
}

resource "aws_s3_bucket_lifecycle_configuration" "statements" {
  bucket = aws_s3_bucket.statements.id

  rule {
    id     = "statements"
    status = "Enabled"

    filter {
      prefix = "statements/"
    }

    expiration {
      days = 30
    }
  }
}
