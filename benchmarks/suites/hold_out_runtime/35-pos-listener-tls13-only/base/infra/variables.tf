variable "certificate_arn" {
  type = string
}

variable "target_group_arn" {
  type = string
}

variable "subnets" {
  type = list(string)
}
