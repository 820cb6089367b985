resource "aws_security_group" "ledger_db" {
  name   = "ledger-db"
  vpc_id = var.vpc_id
}

resource "aws_security_group_rule" "ledger_from_api" {
  type                     = "ingress"
  from_port                = 5432
  to_port                  = 5432
  protocol                 = "tcp"
  security_group_id        = aws_security_group.ledger_db.id
  source_security_group_id = var.api_security_group_id
}
