output "table_arns" {
  value = aws_dynamodb_table.ledger[*].arn
}
