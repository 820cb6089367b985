variable "vpc_id" {
  type    = string
  default = "vpc-0c51e7ab"
}

variable "ledger_api_sg_id" {
  type    = string
  default = "sg-0a11ledgerapi"
}

variable "bastion_sg_id" {
  type    = string
  default = "sg-04bastion"
}
