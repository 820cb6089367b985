resource "aws_security_group" "riders" {
  name   = "riders-db"
  vpc_id = var.vpc_id
}
