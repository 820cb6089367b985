output "table_arns" {
  value = [for t in aws_dynamodb_table.ledger : t.arn]
}
