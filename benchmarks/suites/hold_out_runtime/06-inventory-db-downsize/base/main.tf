variable "environment" {
  type = string
}

variable "inventory_instance_class" {
  type = string
}

variable "wiki_instance_class" {
  type = string
}

module "inventory" {
  source         = "./modules/database"
  identifier     = var.environment == "prod" ? "inventory-pg" : "inventory-pg-${var.environment}"
  instance_class = var.inventory_instance_class
}

module "wiki" {
  source         = "./modules/database"
  identifier     = var.environment == "prod" ? "wiki-pg" : "wiki-pg-${var.environment}"
  instance_class = var.wiki_instance_class
}
