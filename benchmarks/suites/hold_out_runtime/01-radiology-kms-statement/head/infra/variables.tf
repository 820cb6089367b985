variable "scans_key_arn" {
  type        = string
  description = "Customer managed key"
}
