stage              = "prod"
importer_memory_mb = 2048
