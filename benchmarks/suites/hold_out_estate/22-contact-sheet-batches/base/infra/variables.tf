variable "batch_size" {
  type    = number
  default = 10
}

variable "batch_window_s" {
  type    = number
  default = 0
}
