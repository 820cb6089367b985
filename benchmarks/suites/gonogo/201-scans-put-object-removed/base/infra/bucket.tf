resource "aws_s3_bucket" "scans" {
  bucket = "clinicnote-scans"
}
