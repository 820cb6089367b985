variable "subnets" {
  type = list(string)
}

variable "certificate" {
  type = string
}

variable "target_group" {
  type = string
}
