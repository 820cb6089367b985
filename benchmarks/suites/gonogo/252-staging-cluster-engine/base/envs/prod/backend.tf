terraform {
  backend "s3" {
    bucket = "ferngate-tfstate"
    key    = "prod/orders.tfstate"
    region = "eu-central-1"
  }
}
