variable "role_arn" {
  type = string
}
