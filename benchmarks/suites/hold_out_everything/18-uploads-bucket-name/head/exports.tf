resource "aws_s3_bucket" "exports" {
  bucket = "quillpad-prod-exports"

  tags = {
    service = "exports"
    env     = "prod"
  }
}
