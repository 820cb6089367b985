output "ledger_db_sg_id" {
  value = aws_security_group.ledger_db.id
}
