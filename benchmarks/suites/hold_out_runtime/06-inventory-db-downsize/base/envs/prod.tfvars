environment              = "prod"
inventory_instance_class = "db.r6g.2xlarge"
wiki_instance_class      = "db.r6g.xlarge"
