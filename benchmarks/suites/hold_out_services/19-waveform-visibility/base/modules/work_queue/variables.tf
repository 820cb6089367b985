variable "name" { type = string }

variable "visibility" {
  type    = number
  default = 30
}

variable "max_receives" {
  type    = number
  default = 3
}
