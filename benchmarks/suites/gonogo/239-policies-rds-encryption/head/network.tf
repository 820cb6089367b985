resource "aws_security_group" "policies" {
  name   = "policies-db"
  vpc_id = var.vpc_id
}
