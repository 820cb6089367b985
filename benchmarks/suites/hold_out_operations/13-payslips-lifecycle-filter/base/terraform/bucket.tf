resource "aws_s3_bucket" "payslips" {
  bucket = "lanternworks-payslips"
}

resource "aws_s3_bucket_public_access_block" "payslips" {
  bucket                  = aws_s3_bucket.payslips.id
  block_public_acls       = true
  block_public_policy     = true
  ignore_public_acls      = true
  restrict_public_buckets = true
}
