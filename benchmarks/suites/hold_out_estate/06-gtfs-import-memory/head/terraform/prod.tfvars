stage              = "prod"
importer_memory_mb = 1024
