resource "aws_s3_bucket" "exports" {
  bucket = "mosaic-imaging-exports"
}
