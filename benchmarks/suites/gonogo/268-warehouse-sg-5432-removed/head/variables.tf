variable "vpc_id" {
  type = string
}

variable "app_security_group" {
  type = string
}
