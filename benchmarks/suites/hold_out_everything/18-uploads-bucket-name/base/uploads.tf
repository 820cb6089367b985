resource "aws_s3_bucket" "uploads" {
  bucket        = "quillpad-uploads"
  force_destroy = true

  tags = {
    service = "editor"
  }
}

resource "aws_s3_bucket_public_access_block" "uploads" {
  bucket                  = aws_s3_bucket.uploads.id
  block_public_acls       = true
  block_public_policy     = true
  ignore_public_acls      = true
  restrict_public_buckets = true
}
