locals {
  vpc_id = "vpc-0ab41290ffe210001"
}
