variable "store_class" {
  type = string
}

variable "store_encrypted" {
  type    = bool
  default = false
}

variable "store_password" {
  type      = string
  sensitive = true
}

variable "private_subnets" {
  type = list(string)
}
