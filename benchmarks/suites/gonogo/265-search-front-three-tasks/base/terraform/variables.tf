variable "target_group_arn" {
  type = string
}
