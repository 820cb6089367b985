variable "firehose_role" {
  type = string
}

variable "lake_bucket" {
  type = string
}
