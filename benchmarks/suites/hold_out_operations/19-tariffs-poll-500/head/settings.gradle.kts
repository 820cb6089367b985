rootProject.name = "tariff-lookups"
