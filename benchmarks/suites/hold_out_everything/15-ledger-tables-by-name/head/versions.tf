terraform {
  required_version = ">= 1.6"
  backend "s3" {
    bucket = "paperkite-tfstate"
    key    = "ledger-infra"
    region = "eu-west-1"
  }
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 5.50"
    }
  }
}
