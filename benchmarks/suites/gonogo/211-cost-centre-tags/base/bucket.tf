resource "aws_s3_bucket" "documents" {
  bucket = "insurely-documents"

  tags = {
    team = "documents"
  }
}
