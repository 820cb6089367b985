variable "orders_password" {
  type      = string
  sensitive = true
}

variable "reporting_password" {
  type      = string
  sensitive = true
}
