variable "db_password" {
  type      = string
  sensitive = true
}

variable "vpc_id" {
  type = string
}
