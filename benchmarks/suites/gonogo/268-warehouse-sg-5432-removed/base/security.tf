resource "aws_security_group" "warehouse" {
  name   = "warehouse"
  vpc_id = var.vpc_id
}

resource "aws_vpc_security_group_ingress_rule" "app" {
  security_group_id            = aws_security_group.warehouse.id
  referenced_security_group_id = var.app_security_group
  from_port                    = 5432
  to_port                      = 5432
  ip_protocol                  = "tcp"
}

resource "aws_vpc_security_group_ingress_rule" "legacy_batch" {
  security_group_id = aws_security_group.warehouse.id
  cidr_ipv4         = "10.40.16.0/22"
  from_port         = 5432
  to_port           = 5432
  ip_protocol       = "tcp"
}

resource "aws_vpc_security_group_ingress_rule" "monitoring" {
  security_group_id = aws_security_group.warehouse.id
  cidr_ipv4         = "10.40.250.0/28"
  from_port         = 9187
  to_port           = 9187
  ip_protocol       = "tcp"
}
