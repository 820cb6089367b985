module example.net/voltline/tariff-catalog

go 1.22
