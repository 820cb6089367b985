moved {
  from = aws_dynamodb_table.ledger[0]
  to   = aws_dynamodb_table.ledger["ledger-entries"]
}

moved {
  from = aws_dynamodb_table.ledger[1]
  to   = aws_dynamodb_table.ledger["ledger-balances"]
}

moved {
  from = aws_dynamodb_table.ledger[2]
  to   = aws_dynamodb_table.ledger["ledger-locks"]
}
