variable "claims_password" {
  type      = string
  sensitive = true
}
