variable "package" {
  type    = string
  default = "build/recall.zip"
}
