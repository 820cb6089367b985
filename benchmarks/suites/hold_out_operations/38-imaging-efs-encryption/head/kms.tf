resource "aws_kms_key" "imaging" {
  description         = "imaging share"
  enable_key_rotation = true
}
