terraform {
  required_version = ">= 1.6"
  backend "s3" {
    bucket = "kunsthal-tfstate"
    key    = "ticketing/prod"
    region = "eu-central-1"
  }
}

provider "aws" {
  region = "eu-central-1"
}
