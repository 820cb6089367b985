terraform {
  required_version = ">= 1.6"
  backend "s3" {
    bucket = "quillpad-tfstate"
    key    = "infra"
    region = "eu-central-1"
  }
}
