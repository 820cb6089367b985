resource "aws_security_group" "search" {
  name   = "search"
  vpc_id = var.vpc_id
}

resource "aws_vpc_security_group_ingress_rule" "app" {
  security_group_id            = aws_security_group.search.id
  referenced_security_group_id = var.app_security_group
  from_port                    = 9200
  to_port                      = 9200
  ip_protocol                  = "tcp"
}

resource "aws_vpc_security_group_ingress_rule" "monitoring" {
  security_group_id = aws_security_group.search.id
  cidr_ipv4         = "10.40.250.0/28"
  from_port         = 9187
  to_port           = 9187
  ip_protocol       = "tcp"
}
