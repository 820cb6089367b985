variable "lanes" {
  type = list(string)
}
