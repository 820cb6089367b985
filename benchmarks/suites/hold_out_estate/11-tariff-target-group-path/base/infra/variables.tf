variable "vpc_id" {
  type = string
}
