variable "name" {
  type = string
}

variable "expire_days" {
  type    = map(number)
  default = {}
}
