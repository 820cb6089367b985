variable "vpc_id" {
  type = string
}

variable "api_security_group_id" {
  type = string
}

variable "reporting_security_group_id" {
  type = string
}
