variable "function_arn" {
  type = string
}
