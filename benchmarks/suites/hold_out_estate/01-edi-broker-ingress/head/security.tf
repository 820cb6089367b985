resource "aws_security_group" "edi" {
  name   = "edi-broker"
  vpc_id = local.vpc_id
}

resource "aws_vpc_security_group_ingress_rule" "translators" {
  security_group_id = aws_security_group.edi.id
  cidr_ipv4         = "10.20.0.0/18"
  from_port         = 5671
  to_port           = 5671
  ip_protocol       = "tcp"
}

resource "aws_vpc_security_group_egress_rule" "all" {
  security_group_id = aws_security_group.edi.id
  cidr_ipv4         = "0.0.0.0/0"
  ip_protocol       = "-1"
}
