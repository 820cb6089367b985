variable "vpc_subnets" {
  type = list(string)
}

variable "env" {
  type    = string
  default = "prod"
}
