variable "stage" {
  type = string
}

variable "importer_memory_mb" {
  type    = number
  default = 512
}
