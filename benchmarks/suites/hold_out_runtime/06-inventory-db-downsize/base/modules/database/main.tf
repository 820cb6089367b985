variable "identifier" {
  type = string
}

variable "instance_class" {
  type = string
}

resource "aws_db_instance" "this" {
  identifier        = var.identifier
  engine            = "postgres"
  engine_version    = "15.5"
  instance_class    = var.instance_class
  allocated_storage = 500
  apply_immediately = true
}
