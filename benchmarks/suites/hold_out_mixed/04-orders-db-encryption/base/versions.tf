terraform {
  required_version = ">= 1.7"
  required_providers {
    aws = { source = "hashicorp/aws", version = "~> 5.60" }
  }
  backend "s3" {
    bucket = "northbay-tfstate"
    key    = "data-stores"
    region = "eu-west-1"
  }
}
