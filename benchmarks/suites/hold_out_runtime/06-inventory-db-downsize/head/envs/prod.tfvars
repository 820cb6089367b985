environment              = "prod"
inventory_instance_class = "db.r6g.large"
wiki_instance_class      = "db.t4g.large"
