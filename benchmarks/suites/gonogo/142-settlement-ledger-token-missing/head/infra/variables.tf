variable "database_url_arn" {
  type = string
}
