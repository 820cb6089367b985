data "aws_security_group" "db" {
  name = "scores-db"
}

output "db_sg" {
  value = data.aws_security_group.db.id
}
