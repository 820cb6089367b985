resource "aws_security_group" "ledger_db" {
  name        = "ledger-db"
  description = "Ledger PostgreSQL"
  vpc_id      = var.vpc_id

  tags = {
    data_class = "financial"
  }
}

resource "aws_vpc_security_group_ingress_rule" "ledger_from_api" {
  description                  = "Ledger API"
  security_group_id            = aws_security_group.ledger_db.id
  referenced_security_group_id = var.ledger_api_sg_id
  from_port                    = 5432
  to_port                      = 5432
  ip_protocol                  = "tcp"
}

resource "aws_vpc_security_group_ingress_rule" "ledger_from_bastion" {
  description                  = "Bastion"
  security_group_id            = aws_security_group.ledger_db.id
  referenced_security_group_id = var.bastion_sg_id
  from_port                    = 5432
  to_port                      = 5432
  ip_protocol                  = "tcp"
}
