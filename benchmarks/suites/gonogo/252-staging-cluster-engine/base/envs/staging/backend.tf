terraform {
  backend "s3" {
    bucket = "ferngate-tfstate"
    key    = "staging/orders.tfstate"
    region = "eu-central-1"
  }
}
