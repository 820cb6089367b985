variable "role_arn" {
  type = string
}

variable "artifacts" {
  type = string
}

variable "key" {
  type = string
}
