variable "db_password" {
  type      = string
  sensitive = true
}
